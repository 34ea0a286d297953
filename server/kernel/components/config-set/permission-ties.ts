// Finds two permission sets with one priority on one day: the value of a user who holds both would be ambiguous.
import { compareRanges, intersect } from '../../config/range.ts'
import { endsAfter } from '../../config/range-single.ts'
import { dateOf } from '../../dates/civil-date.ts'
import type { Finding } from '../../errors/finding.ts'
import { idOf } from '../component.ts'
import { errorFinding } from '../report.ts'
import { scopeName } from '../scopes.ts'
import { describeKey, formatLongRange, type EntryOwner, type DatedEntry } from './timeline.ts'

/** Returns one finding for each entry that ties with an earlier one of a different permission set. */
export function permissionTies(
  target: EntryOwner,
  businessKey: string | null,
  rows: readonly DatedEntry[],
  dated: boolean,
): Finding[] {
  const scoped = rows.filter(
    ({ entry }) => entry.body.scope.kind === 'permission_set' && entry.body.priority !== undefined,
  )
  const byPriority = Map.groupBy(scoped, ({ entry }) => entry.body.priority!)
  return [...byPriority.values()].flatMap((group) =>
    tiedPairs(group).map(([earlier, later]) => tie(target, businessKey, earlier, later, dated)),
  )
}

/** Pairs each row with the overlapping earlier row of a different permission set that ends last. */
function tiedPairs(rows: readonly DatedEntry[]): [DatedEntry, DatedEntry][] {
  const pairs: [DatedEntry, DatedEntry][] = []
  // The last-ending rows of two different permission sets are enough: one of them differs from the set of the next row.
  let furthest: DatedEntry | undefined
  let furthestOther: DatedEntry | undefined
  for (const row of [...rows].sort((a, b) => compareRanges(a.range, b.range))) {
    const rival = furthest !== undefined && sameHolder(furthest, row) ? furthestOther : furthest
    if (rival !== undefined && endsAfter(rival.range.to, row.range.from)) pairs.push([rival, row])
    if (furthest === undefined || endsAfter(row.range.to, furthest.range.to)) {
      if (furthest !== undefined && !sameHolder(furthest, row)) furthestOther = furthest
      furthest = row
    } else if (
      !sameHolder(furthest, row) &&
      (furthestOther === undefined || endsAfter(row.range.to, furthestOther.range.to))
    ) {
      furthestOther = row
    }
  }
  return pairs
}

function sameHolder(a: DatedEntry, b: DatedEntry): boolean {
  return scopeName(a.entry.body.scope) === scopeName(b.entry.body.scope)
}

function tie(
  target: EntryOwner,
  businessKey: string | null,
  earlier: DatedEntry,
  later: DatedEntry,
  dated: boolean,
): Finding {
  const common = dated ? intersect(earlier.range, later.range) : null
  const priority = later.entry.body.priority!
  const message =
    `${earlier.entry.key} (${scopeName(earlier.entry.body.scope)}) and ${later.entry.key} (${scopeName(later.entry.body.scope)}) ` +
    `tie for ${describeKey(target, businessKey)}: both have priority ${priority}${common === null ? '' : ` ${formatLongRange(common)}`}, ` +
    `so the value is ambiguous for a user with both permission sets. Give one of them a higher priority.`
  const facts = {
    set: target.key,
    key: businessKey,
    priority,
    earlier: earlier.entry.key,
    later: later.entry.key,
    from: common === null ? null : dateOf(common.from),
    to: common?.to == null ? null : dateOf(common.to),
  }
  const related = [{ component: idOf(earlier.entry), path: '/body/priority' }]
  return errorFinding(later.entry, '/body/priority', 'config.permission_tie', message, { related, facts })
}
