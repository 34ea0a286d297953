/**
 * Half-open ranges of days: `from` is the first day, `to` the first that no longer applies. See
 * docs/reference/resolution-and-dates.md.
 */
import type { DayNumber } from '../dates/civil-date.ts'

export interface Range {
  readonly from: DayNumber
  /** The first day that no longer applies; null is open-ended. */
  readonly to: DayNumber | null
}

/** Whether the day is included. */
export function contains(range: Range, day: DayNumber): boolean {
  return day >= range.from && (range.to === null || day < range.to)
}

/** Whether no day is included: the range ends on or before its first day. */
export function isEmpty(range: Range): boolean {
  return range.to !== null && range.to <= range.from
}

/** Whether the ranges share a day. An empty range does not overlap any other. */
export function overlaps(a: Range, b: Range): boolean {
  return intersect(a, b) !== null
}

/** Returns the days in both ranges, or null if they do not overlap. */
export function intersect(a: Range, b: Range): Range | null {
  const common = { from: a.from > b.from ? a.from : b.from, to: earlierEnd(a.to, b.to) }
  return isEmpty(common) ? null : common
}

/** Whether one range ends on the day on which the other starts: no day is in between and none is shared. */
export function isAdjacent(a: Range, b: Range): boolean {
  return a.to === b.from || b.to === a.from
}

/** Returns the days of `range` that are not in `cut`: none, one or two ranges, in order. */
export function subtract(range: Range, cut: Range): Range[] {
  const common = intersect(range, cut)
  if (common === null) return isEmpty(range) ? [] : [range]
  const before: Range = { from: range.from, to: common.from }
  const after: Range[] = common.to === null ? [] : [{ from: common.to, to: range.to }]
  return [before, ...after].filter((piece) => !isEmpty(piece))
}

/** Returns the earlier of two ends; null is open-ended. */
export function earlierEnd(a: DayNumber | null, b: DayNumber | null): DayNumber | null {
  if (a === null) return b
  return b === null || a < b ? a : b
}

/** Whether end `a` is after end `b`; null, open-ended, is after every day. */
export function endsAfter(a: DayNumber | null, b: DayNumber | null): boolean {
  return b !== null && (a === null || a > b)
}
