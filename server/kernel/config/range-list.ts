/** What is wrong with a list of ranges: where they overlap and where they leave a gap. 7 (failures 3 and 4). */
import type { DayNumber } from '../dates/civil-date.ts'
import { endsAfter, isEmpty, type Range } from './range-single.ts'

/** Days that no range covers, between two ranges of a list. */
export interface Gap {
  /** Index of the range after which the gap begins. */
  readonly after: number
  /** Index of the range before which it ends. */
  readonly before: number
  /** First day that is not covered. */
  readonly from: DayNumber
  /** First day that is covered again. */
  readonly to: DayNumber
}

/** Order of ranges in time: by first day, then by end, open-ended last. */
export function compareRanges(a: Range, b: Range): number {
  if (a.from !== b.from) return a.from - b.from
  return a.to === b.to ? 0 : endsAfter(a.to, b.to) ? 1 : -1
}

/** A new list in the order of time; equal ranges keep their order. */
export function sortRanges<R extends Range>(ranges: readonly R[]): R[] {
  return [...ranges].sort(compareRanges)
}

/**
 * Pairs of indices [earlier, later] of ranges that share a day, in the order of time, the list itself in any order.
 * Each range is paired with the one before it that reaches furthest: a range that shares a day with any earlier one is
 * reported, and there are never more pairs than ranges, however badly the list overlaps. Empty ranges are left out.
 */
export function findOverlaps(ranges: readonly Range[]): [number, number][] {
  const pairs: [number, number][] = []
  walk(ranges, (furthest, next) => {
    if (endsAfter(next.reach, next.range.from)) pairs.push([furthest, next.index])
  })
  return pairs
}

/**
 * Gaps between ranges, in the order of time. Indices are those of the list given, which may be in any order. What lies
 * before the first range and after the last is no gap. Empty ranges are left out.
 */
export function findGaps(ranges: readonly Range[]): Gap[] {
  const gaps: Gap[] = []
  walk(ranges, (furthest, { index, range, reach }) => {
    if (reach !== null && reach < range.from)
      gaps.push({ after: furthest, before: index, from: reach, to: range.from })
  })
  return gaps
}

interface Step {
  readonly index: number
  readonly range: Range
  /** Where the ranges so far end. */
  readonly reach: DayNumber | null
}

/** Visits every range but the first in the order of time, with the index of the earlier one that reaches furthest. */
function walk(ranges: readonly Range[], visit: (furthest: number, step: Step) => void): void {
  const inOrder = ranges.map((range, index) => ({ range, index })).filter(({ range }) => !isEmpty(range))
  inOrder.sort((a, b) => compareRanges(a.range, b.range))
  const [first, ...rest] = inOrder
  if (first === undefined) return
  let furthest = first.index
  let reach = first.range.to
  for (const { range, index } of rest) {
    visit(furthest, { index, range, reach })
    if (endsAfter(range.to, reach)) {
      furthest = index
      reach = range.to
    }
  }
}
