// almanac impact: what a directory or the drafts would change beyond themselves: values by day, flags, stored values.
import { addPart, type Impact, type RecordFieldImpact, type RecordsImpact } from '#kernel/change/index.ts'
import { changeListFromArgs } from '../change-list-args.ts'
import { exitCodes } from '../fail.ts'
import { findingsText } from '../findings-text.ts'
import { integerOption } from '../options.ts'
import { tableText } from '../table.ts'
import { countText, type Terminal } from '../terminal.ts'
import type { ChangeListInput, OrgApi } from '../org-api.ts'
import type { Run } from '../command-definition.ts'
import { hasErrors } from '#kernel/errors/finding.ts'

/** Items of each list. */
const defaultItems = 20

export const run: Run = async (call) => {
  const { terminal } = call
  const { list, findings } = await changeListFromArgs(call)
  if (hasErrors(findings)) {
    terminal.note(findingsText(findings, terminal))
    await terminal.data({ findings })
    return exitCodes.failed
  }
  const org = await call.org()
  const most = Math.max(1, integerOption(call, 'limit') ?? defaultItems)
  const impact = await org.impact(list, most)
  const records = await recordsOf(org, list, terminal)
  await terminal.data({ impact, records })
  terminal.print(() => impactText(impact, records, terminal))
  return exitCodes.done
}

async function recordsOf(org: OrgApi, list: ChangeListInput, terminal: Terminal): Promise<RecordsImpact> {
  let sum: RecordsImpact | null = null
  do {
    sum = addPart(sum, await org.recordsImpact(list, sum?.next ?? undefined))
    if (sum.next !== null)
      terminal.progress(`Compared ${sum.looked.toLocaleString('en')} of ${countText(sum.total, 'record')}`)
  } while (sum.next !== null)
  return sum
}

function impactText(impact: Impact, records: RecordsImpact, terminal: Terminal): string {
  const { resolution, flips, results, readers } = impact
  const { bold } = terminal.paint
  const parts = [
    ...section(bold(`${countText(resolution.total, 'resolved value')} would change`), terminal, {
      head: ['what', 'when', 'now', 'after'],
      rows: resolution.items.map(({ title, when, beforeWords, afterWords }) => [
        title,
        when,
        beforeWords,
        afterWords,
      ]),
      total: resolution.total,
    }),
    ...section(bold(`${countText(flips.total, 'value')} would change today`), terminal, {
      head: ['what', 'for', 'now', 'after'],
      rows: flips.items.map(({ setLabel, key, kind, who, beforeWords, afterWords }) => [
        key === null ? setLabel : `${setLabel}, ${key}`,
        kind === 'everyone' ? kind : countText(who.total, kind.replace('_', ' ')),
        beforeWords,
        afterWords,
      ]),
      total: flips.total,
    }),
    ...section(bold(`${countText(results.changed.length, 'stored result')} would change`), terminal, {
      head: ['result', 'now', 'after'],
      rows: results.changed.map(({ id, label, now, after, nowError, afterError }) => [
        label || id,
        now ?? nowError ?? 'none',
        after ?? afterError ?? 'none',
      ]),
      total: results.changed.length,
    }),
    ...records.fields.map((field) => recordsText(field, terminal)),
    ...(records.hidden === 0
      ? []
      : [
          `Not compared: ${countText(records.hidden, 'record')}. Their formulas read, or could read, what you cannot see, and a count could reveal it. A user who can read all of it sees the impact.`,
        ]),
    ...(records.unfollowed === 0
      ? []
      : [
          `Not compared: ${countText(records.unfollowed, 'record')}. A formula moves too many children of their roll-ups to other parents.`,
        ]),
  ]
  const read =
    readers.total === 0
      ? 'Nothing reads the changed components.'
      : `The changed components are read by ${countText(readers.total, 'component')}.`
  return [read, ...(parts.length === 0 ? ['No value would change.'] : parts)].join('\n\n')
}

function section(
  title: string,
  terminal: Terminal,
  { head, rows, total }: { head: readonly string[]; rows: readonly (readonly string[])[]; total: number },
): string[] {
  if (total === 0) return []
  const more = total > rows.length ? `\nand ${(total - rows.length).toLocaleString('en')} more` : ''
  return [`${title}\n${tableText(terminal, head, rows)}${more}`]
}

function recordsText(field: RecordFieldImpact, terminal: Terminal): string {
  const { objectLabel, label, changed, items } = field
  const title = terminal.paint.bold(`${objectLabel}, ${label}: ${countText(changed, 'record')} would change`)
  if (items.length === 0) return `${title}\nYou cannot read these values.`
  return section(title, terminal, {
    head: ['record', 'now', 'after'],
    rows: items.map(({ id, name, now, after, afterError }) => [
      name ?? id,
      String(now ?? 'none'),
      String(after ?? afterError ?? 'none'),
    ]),
    total: changed,
  })[0]!
}
