// almanac import: a CSV file as dated entries: drafts for review, files with --out, one generation with --apply (completions 7).
import { basename } from 'node:path'
import { existsSync } from 'node:fs'
import type { ComponentId } from '#kernel/components/component.ts'
import type { CandidateComponent } from '#kernel/change/index.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { hasErrors, type Finding } from '#kernel/errors/finding.ts'
import { parseImportMap, type ImportMap } from '#kernel/import/index.ts'
import {
  importCsv,
  lastImport,
  rememberImport,
  repairChanges,
  type ImportFacts,
  type ImportRecord,
} from '../../import/index.ts'
import { sayApplied } from '../applied-text.ts'
import { changeCountsText, changesText } from '../changes-text.ts'
import { exitCodes, UsageError } from '../fail.ts'
import { findingsText, repairHints } from '../findings-text.ts'
import { repairsOf } from '../given-list.ts'
import type { LocalOrg } from '../local-org.ts'
import { fileBytes, fileText, flag, jsonOf, text } from '../options.ts'
import type { GivenList, ShownPlan } from '../org-api.ts'
import { keepDrafts, writeFiles } from '../keep-changes.ts'
import { count } from '../terminal.ts'
import type { Call, Run } from '../verb.ts'

interface Prepared {
  components: CandidateComponent[]
  removals: ComponentId[]
  /** Entries that a repair left out. */
  dropped: ComponentId[]
  findings: Finding[]
  record: ImportRecord
  facts: ImportFacts
}

export const run: Run = async (call) => {
  const { terminal } = call
  const [set = '', file = ''] = call.args
  const org = await call.localOrg()
  terminal.progress(`Reading ${file} …`)
  const prepared = prepare(call, org, set, file)
  const list: GivenList = {
    kind: 'components',
    components: prepared.components.map(({ component, hints }) => ({ ...component, ...hints })),
    removals: prepared.removals,
  }
  terminal.progress('Validating …')
  const plan = await org.plan(list)
  const findings = [...prepared.findings, ...plan.findings]
  terminal.print(factsText(prepared.facts))
  if (flag(call, 'apply')) return applyNow(call, org, list, prepared)
  say(call, plan, findings, prepared.facts, await keep(call, org, plan, prepared))
  return hasErrors(prepared.findings) ? exitCodes.failed : exitCodes.done
}

function prepare(call: Call, { org }: LocalOrg, set: string, file: string): Prepared {
  const map = mapOf(call)
  return org.store.read((reader) => {
    const last = flag(call, 'again') ? null : lastImport(reader, set)
    const { components, findings, record, facts } = importCsv(
      { set, bytes: fileBytes(file), name: basename(file), map, last },
      org.pin().view,
    )
    const choices = repairsOf(call)
    if (choices.length === 0) return { components, removals: [], dropped: [], findings, record, facts }
    const repaired = repairChanges(reader, { components, removals: [] }, choices, org.clock.today())
    return { ...repaired, findings: [...findings, ...repaired.findings], record, facts }
  })
}

function mapOf(call: Call): ImportMap {
  const given = text(call, 'map')
  if (given === undefined) throw new UsageError('Say which column is what: --map <file or JSON>.')
  const source = given.trimStart().startsWith('{') && !existsSync(given) ? given : fileText(given)
  return parseImportMap(jsonOf(source, '--map'))
}

async function applyNow(call: Call, org: LocalOrg, list: GivenList, prepared: Prepared): Promise<number> {
  if (hasErrors(prepared.findings))
    throw new AlmanacError('import.invalid', 'Rows of the file have errors; nothing was applied.', {
      details: prepared.findings,
    })
  const rationale = text(call, 'rationale')
  const applied = await org.apply(list, rationale === undefined ? {} : { rationale })
  await org.org.write((transactor) =>
    rememberImport(transactor, call.args[0]!, prepared.record, prepared.dropped),
  )
  sayApplied(
    { ...applied, findings: [...prepared.findings, ...applied.findings] },
    call.terminal,
    flag(call, 'all'),
  )
  return exitCodes.done
}

/** Where the changes were put, as a sentence and as a fact. */
async function keep(
  call: Call,
  org: LocalOrg,
  plan: ShownPlan,
  prepared: Prepared,
): Promise<{ drafts?: number; out?: string }> {
  const out = text(call, 'out')
  if (out !== undefined) {
    writeFiles(out, plan.changes)
    return { out }
  }
  await keepDrafts(org, plan.changes, (transactor) =>
    rememberImport(transactor, call.args[0]!, prepared.record, prepared.dropped),
  )
  return { drafts: plan.changes.length }
}

function say(
  call: Call,
  plan: ShownPlan,
  findings: Finding[],
  facts: ImportFacts,
  kept: { drafts?: number; out?: string },
): void {
  const { terminal } = call
  terminal.data({ ...facts, changes: plan.changes, findings, ...kept })
  terminal.print(changesText(plan.changes, terminal, flag(call, 'all')))
  if (plan.changes.length > 0) terminal.print(changeCountsText(plan.counts))
  if (findings.length > 0) terminal.print(findingsText(findings, terminal))
  for (const hint of repairHints(findings)) terminal.print(terminal.paint.dim(hint))
  if (kept.out !== undefined)
    terminal.print(`The components are in ${kept.out}; "almanac apply ${kept.out}" applies them.`)
  else if (plan.changes.length > 0)
    terminal.print(
      `${count(plan.changes.length, 'draft')} kept for review; "almanac validate --drafts" and "almanac apply --drafts" go on.`,
    )
}

function factsText({ rows, keys, entries, skipped, keptAsEdited, encoding, delimiter }: ImportFacts): string {
  const left = skipped === 0 ? '' : `, ${count(skipped, 'row')} left out by the map`
  const edited =
    keptAsEdited === 0
      ? ''
      : `\n${count(keptAsEdited, 'entry', 'entries')} as at the last import, and repaired or edited here since: left as they are. --again takes the file’s.`
  return `${count(rows, 'row')}, ${count(keys, 'key')}, ${count(entries, 'entry', 'entries')}${left} (${encoding}, ${JSON.stringify(delimiter)} between cells).${edited}`
}
