// Finds overlaps, gaps and ends of the entries of one scope, each with the choices that fix it.
import { findGaps, findOverlaps, intersect } from '../../config/range.ts'
import { dateOf } from '../../dates/civil-date.ts'
import type { Finding } from '../../errors/finding.ts'
import { idOf } from '../component.ts'
import { errorFinding } from '../report.ts'
import { scopeText } from '../scopes.ts'
import { rangeRepairs } from './repair-labels.ts'
import {
  describeKey,
  formatLongDay,
  formatLongDayBefore,
  formatLongRange,
  type EntryOwner,
  type DatedEntry,
} from './timeline.ts'

/** Returns one finding for each pair of entries of one scope that share a day. */
export function rangeOverlaps(
  target: EntryOwner,
  businessKey: string | null,
  rows: readonly DatedEntry[],
): Finding[] {
  return findOverlaps(rows.map(({ range }) => range)).map(([first, second]) => {
    const [earlier, later] = [rows[first]!, rows[second]!]
    const common = intersect(earlier.range, later.range)!
    const scope = scopeText(later.entry.body.scope)
    const ordered = earlier.range.from < later.range.from
    const message =
      `${earlier.entry.key} (${formatLongRange(earlier.range)}) and ${later.entry.key} (${formatLongRange(later.range)}) ` +
      `overlap for ${describeKey(target, businessKey)} at ${scope}: both apply ${formatLongRange(common)}. ` +
      (ordered
        ? 'End the first entry when the second starts.'
        : 'They start on the same day, so remove one of them, or change its first day.')
    const facts = {
      set: target.key,
      key: businessKey,
      scope,
      from: dateOf(common.from),
      to: common.to === null ? null : dateOf(common.to),
      earlier: earlier.entry.key,
      later: later.entry.key,
    }
    const related = [{ component: idOf(earlier.entry), path: '/body/effectiveTo' }]
    const place = { earlier: earlier.entry.key, range: common, keyLabel: describeKey(target, businessKey) }
    // If two start on the same day, only the author knows which one is right.
    const repairs = ordered ? rangeRepairs(['end_earlier'], place) : []
    return errorFinding(later.entry, '/body/effectiveFrom', 'config.range_overlap', message, {
      related,
      facts,
      repairs,
    })
  })
}

/** Returns one finding for each gap between two entries of one scope. `to` is the first day that is covered again. */
export function rangeGaps(
  target: EntryOwner,
  businessKey: string | null,
  rows: readonly DatedEntry[],
): Finding[] {
  return findGaps(rows.map(({ range }) => range)).map((gap) => {
    const [earlier, later] = [rows[gap.after]!.entry, rows[gap.before]!.entry]
    const scope = scopeText(later.body.scope)
    const message =
      `${describeKey(target, businessKey)} at ${scope} has no value ${formatLongRange(gap)}: ` +
      `${earlier.key} ends on ${formatLongDayBefore(gap.from)}, and ${later.key} starts on ${formatLongDay(gap.to)}. ` +
      `Extend one of the two, or add an entry for these days.`
    const facts = {
      set: target.key,
      key: businessKey,
      scope,
      from: dateOf(gap.from),
      to: dateOf(gap.to),
      earlier: earlier.key,
      later: later.key,
    }
    const repairs = rangeRepairs(['extend_earlier', 'extend_later', 'set_value', 'drop_key'], {
      earlier: earlier.key,
      later: later.key,
      range: gap,
      keyLabel: describeKey(target, businessKey),
    })
    const related = [{ component: idOf(later), path: '/body/effectiveFrom' }]
    return errorFinding(earlier, '/body/effectiveTo', 'config.range_gap', message, {
      related,
      facts,
      repairs,
    })
  })
}

/** The last range of the org scope must be open-ended, because no wider scope follows. */
export function rangeEnd(
  target: EntryOwner,
  businessKey: string | null,
  rows: readonly DatedEntry[],
): Finding[] {
  let last: DatedEntry | undefined
  for (const row of rows) {
    if (row.range.to === null) return []
    if (last === undefined || row.range.to > last.range.to!) last = row
  }
  if (last === undefined) return []
  const { entry } = last
  const end = last.range.to!
  const message =
    `${describeKey(target, businessKey)} has no value from ${formatLongDay(end)}: its last org entry, ${entry.key}, ` +
    `ends on ${formatLongDayBefore(end)}. Remove its end, or add an entry that follows.`
  const facts = { set: target.key, key: businessKey, scope: 'org', last: entry.key, endsOn: dateOf(end) }
  const repairs = rangeRepairs(['extend_last', 'set_value', 'drop_key'], {
    earlier: entry.key,
    range: { from: end, to: null },
    keyLabel: describeKey(target, businessKey),
  })
  return [errorFinding(entry, '/body/effectiveTo', 'config.range_end', message, { facts, repairs })]
}
