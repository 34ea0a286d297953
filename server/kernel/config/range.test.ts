import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DayNumber } from '../dates/civil-date.ts'
import {
  isAdjacent,
  contains,
  findGaps,
  findOverlaps,
  intersect,
  isEmpty,
  overlaps,
  sortRanges,
  subtract,
  type Range,
} from './range.ts'

const day = (n: number): DayNumber => n as DayNumber
const range = (from: number, to: number | null): Range => ({
  from: day(from),
  to: to === null ? null : day(to),
})

const anyRange = fc
  .tuple(fc.integer({ min: 0, max: 20 }), fc.option(fc.integer({ min: 0, max: 20 }), { freq: 4 }))
  .map(([from, to]) => range(from, to))
const days = Array.from({ length: 24 }, (_, n) => day(n))

describe('one range', () => {
  it('is half-open: includes its first day but not its end', () => {
    expect([9, 10, 11, 12].map((n) => contains(range(10, 12), day(n)))).toEqual([false, true, true, false])
    expect(contains(range(10, null), day(1_000_000))).toBe(true)
  })

  it('is empty when it ends on or before its first day', () => {
    expect([range(3, 3), range(3, 2), range(3, 4), range(3, null)].map(isEmpty)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})

describe('two ranges', () => {
  it('are adjacent when they share an end and a start, in either order', () => {
    expect(isAdjacent(range(1, 5), range(5, 9))).toBe(true)
    expect(isAdjacent(range(5, null), range(1, 5))).toBe(true)
    expect(isAdjacent(range(1, 5), range(6, 9))).toBe(false)
    expect(overlaps(range(1, 5), range(5, 9))).toBe(false)
  })

  it('intersect, overlap and subtract like sets of days', () => {
    fc.assert(
      fc.property(anyRange, anyRange, (a, b) => {
        const common = intersect(a, b)
        const rest = subtract(a, b)
        expect(overlaps(a, b)).toBe(common !== null)
        expect(common === null || !isEmpty(common)).toBe(true)
        expect(rest.some(isEmpty)).toBe(false)
        for (const d of days) {
          const [inA, inB] = [contains(a, d), contains(b, d)]
          expect(common !== null && contains(common, d)).toBe(inA && inB)
          expect(rest.filter((piece) => contains(piece, d)).length).toBe(inA && !inB ? 1 : 0)
        }
      }),
    )
  })
})

describe('a list of ranges', () => {
  it('sorts by first day, then by end, open-ended last, without changing the list', () => {
    const list = [range(5, null), range(5, 7), range(1, 9), range(5, 6)]
    expect(sortRanges(list)).toEqual([range(1, 9), range(5, 6), range(5, 7), range(5, null)])
    expect(list[0]).toEqual(range(5, null))
  })

  it('names every range that overlaps its neighbour, open-ended ones too', () => {
    expect(findOverlaps([range(0, null), range(1, null), range(2, null), range(3, null)])).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ])
    // Both ranges of one day are followed by the next, and a contained range does not hide the one after it.
    expect(findOverlaps([range(0, null), range(1, null), range(1, null), range(2, null)])).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
      [1, 3],
    ])
    expect(findOverlaps([range(0, null), range(1, 2), range(5, null)])).toEqual([
      [0, 1],
      [0, 2],
    ])
  })

  it('pairs a range with the nearest earlier one that it overlaps', () => {
    expect(findOverlaps([range(1, 5), range(5, 9), range(9, null)])).toEqual([])
    expect(findOverlaps([range(5, 9), range(1, 6)])).toEqual([[1, 0]])
    expect(findOverlaps([range(0, null), range(1, 2), range(3, 4)])).toEqual([
      [0, 1],
      [0, 2],
    ])
    expect(findOverlaps([range(0, 9), range(4, 4), range(2, 1)])).toEqual([])
  })

  it('names each inner gap with its neighbours', () => {
    expect(findGaps([range(1, 5), range(5, 9)])).toEqual([])
    expect(findGaps([range(1, 5), range(7, 9), range(12, null)])).toEqual([
      { after: 0, before: 1, from: 5, to: 7 },
      { after: 1, before: 2, from: 9, to: 12 },
    ])
    expect(findGaps([range(0, 20), range(1, 2), range(22, 25)])).toEqual([
      { after: 0, before: 2, from: 20, to: 22 },
    ])
    expect(findGaps([range(1, 5), range(6, 6), range(8, 9)])).toEqual([
      { after: 0, before: 2, from: 5, to: 8 },
    ])
    expect(findGaps([])).toEqual([])
  })

  it('has an overlap exactly if two ranges share a day, and a gap exactly if an inner day is not covered', () => {
    fc.assert(
      fc.property(fc.array(anyRange, { maxLength: 8 }), (list) => {
        const cover = days.map((d) => list.filter((r) => contains(r, d)).length)
        const pairs = findOverlaps(list)
        expect(pairs.length > 0).toBe(cover.some((n) => n > 1))
        for (const [i, j] of pairs) expect(overlaps(list[i] as Range, list[j] as Range)).toBe(true)
        expect(pairs.length).toBeLessThanOrEqual(2 * list.length)
        // Every range that shares a day with another one is listed.
        list.forEach((a, i) =>
          list.forEach((b, j) => {
            if (i !== j && overlaps(a, b)) expect(pairs.flat()).toContain(i)
          }),
        )
        const [first, last] = [cover.findIndex((n) => n > 0), cover.findLastIndex((n) => n > 0)]
        const uncovered = days.filter((d) => d > first && d < last && cover[d] === 0)
        const gaps = findGaps(list)
        expect(days.filter((d) => gaps.some((gap) => contains(gap, d)))).toEqual(first < 0 ? [] : uncovered)
        for (const gap of gaps) {
          expect(list[gap.after]?.to).toBe(gap.from)
          expect(list[gap.before]?.from).toBe(gap.to)
        }
      }),
      { numRuns: 1000 },
    )
  })
})
