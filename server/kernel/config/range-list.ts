/** Finds overlaps and gaps in a list of ranges (docs/reference/resolution-and-dates.md). */
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

/** Compares ranges by first day, then by end, open-ended last. */
export function compareRanges(a: Range, b: Range): number {
  if (a.from !== b.from) return a.from - b.from
  return a.to === b.to ? 0 : endsAfter(a.to, b.to) ? 1 : -1
}

/** Returns a new list in chronological order; equal ranges keep their order. */
export function sortRanges<R extends Range>(ranges: readonly R[]): R[] {
  return [...ranges].sort(compareRanges)
}

/**
 * Returns pairs of indices [earlier, later] of ranges that share a day, in chronological order; the list can be in any
 * order. Each range is paired with its neighbours: the nearest one before it that it overlaps, and the first one after
 * it that starts on a later day, if they overlap. So every range that shares a day with another one is in a pair,
 * each range that a later one cuts short is paired with the first that does, and there are at most two pairs per range.
 * Empty ranges are ignored.
 */
export function findOverlaps(ranges: readonly Range[]): [number, number][] {
  const inOrder = inTime(ranges)
  const pairs = new Map<string, [number, number]>()
  const add = (earlier: number, later: number): void => {
    pairs.set(`${earlier} ${later}`, [inOrder[earlier]!.index, inOrder[later]!.index])
  }
  /** Positions of earlier ranges that the next can overlap, the nearest last. */
  const open: number[] = []
  /** Positions of ranges without a later-starting one so far. */
  let unfollowed: number[] = []
  for (const [at, { range }] of inOrder.entries()) {
    while (open.length > 0 && !endsAfter(inOrder[open.at(-1)!]!.range.to, range.from)) open.pop()
    if (open.length > 0) add(open.at(-1)!, at)
    if (unfollowed.length > 0 && inOrder[unfollowed[0]!]!.range.from < range.from) {
      for (const earlier of unfollowed)
        if (endsAfter(inOrder[earlier]!.range.to, range.from)) add(earlier, at)
      unfollowed = []
    }
    unfollowed.push(at)
    open.push(at)
  }
  return [...pairs.values()]
}

/**
 * Returns the gaps between ranges, in chronological order. Indices are those of the given list, which can be in any
 * order. The days before the first range and after the last are not gaps. Empty ranges are ignored.
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
  /** The latest end of the ranges so far. */
  readonly reach: DayNumber | null
}

/** Visits every range but the first in chronological order, with the index of the earlier one with the latest end. */
function walk(ranges: readonly Range[], visit: (furthest: number, step: Step) => void): void {
  const [first, ...rest] = inTime(ranges)
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

/** Returns the non-empty ranges in chronological order, each with its index. */
function inTime(ranges: readonly Range[]): { range: Range; index: number }[] {
  return ranges
    .map((range, index) => ({ range, index }))
    .filter(({ range }) => !isEmpty(range))
    .sort((a, b) => compareRanges(a.range, b.range))
}
