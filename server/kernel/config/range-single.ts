/** Half-open ranges of days: `from` is the first day, `to` the first that no longer counts. 2.4; completions 2. */
import type { DayNumber } from '../dates/civil-date.ts'

export interface Range {
  readonly from: DayNumber
  /** The first day that no longer counts; null is open-ended. */
  readonly to: DayNumber | null
}

/** Whether the day counts. */
export function contains(range: Range, day: DayNumber): boolean {
  return day >= range.from && (range.to === null || day < range.to)
}

/** Whether no day counts: the range ends on or before its first day. */
export function isEmpty(range: Range): boolean {
  return range.to !== null && range.to <= range.from
}

/** Whether some day counts in both. An empty range overlaps nothing. */
export function overlaps(a: Range, b: Range): boolean {
  return intersect(a, b) !== null
}

/** The days that count in both, or null when there are none. */
export function intersect(a: Range, b: Range): Range | null {
  const common = { from: a.from > b.from ? a.from : b.from, to: earlierEnd(a.to, b.to) }
  return isEmpty(common) ? null : common
}

/** Whether one ends on the very day on which the other starts, so that no day lies between and none is shared. */
export function adjacent(a: Range, b: Range): boolean {
  return a.to === b.from || b.to === a.from
}

/** The days of `range` that do not count in `cut`: none, one or two ranges, in order. */
export function subtract(range: Range, cut: Range): Range[] {
  const common = intersect(range, cut)
  if (common === null) return isEmpty(range) ? [] : [range]
  const before: Range = { from: range.from, to: common.from }
  const after: Range[] = common.to === null ? [] : [{ from: common.to, to: range.to }]
  return [before, ...after].filter((piece) => !isEmpty(piece))
}

/** The earlier of two ends, where null never comes. */
export function earlierEnd(a: DayNumber | null, b: DayNumber | null): DayNumber | null {
  if (a === null) return b
  return b === null || a < b ? a : b
}

/** Whether an end lies beyond another, where null lies beyond every day. */
export function endsAfter(a: DayNumber | null, b: DayNumber | null): boolean {
  return b !== null && (a === null || a > b)
}
