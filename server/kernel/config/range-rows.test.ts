import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DayNumber } from '../dates/civil-date.ts'
import {
  closeGap,
  contains,
  endAt,
  findGaps,
  findOverlaps,
  insertFrom,
  isEmpty,
  openEnd,
  reshapeRow,
  resolveOverlap,
  rowAt,
  splitAt,
  type Range,
  type RangeRow,
} from './range.ts'

const END = 40
const day = (n: number): DayNumber => n as DayNumber
const days = Array.from({ length: END + 5 }, (_, n) => day(n))

function row<T>(from: number, to: number | null, value: T): RangeRow<T> {
  return { range: { from: day(from), to: to === null ? null : day(to) }, value }
}

/** Returns the value of each day: the timeline of the rows. */
function timeline<T>(rows: readonly RangeRow<T>[]): (T | null)[] {
  return days.map((d) => rowAt(rows, d)?.value ?? null)
}

const ranges = <T>(rows: readonly RangeRow<T>[]) => rows.map((r) => r.range)
const uncovered = <T>(rows: readonly RangeRow<T>[]) => timeline(rows).map((v) => v === null)

const anyDay = fc.integer({ min: 0, max: END }).map(day)

/** Rows that do not overlap, with and without gaps, the last one open-ended or not, in any order. */
const anyRows = fc
  .tuple(fc.uniqueArray(anyDay, { maxLength: 12 }), fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }))
  .map(([starts, isIncluded]) => {
    const bounds = starts.toSorted((a, b) => a - b)
    return bounds
      .map((from, i) => row(from, bounds[i + 1] ?? null, `v${i}`))
      .filter((_, i) => isIncluded[i] === true)
  })
  .chain((rows) => fc.shuffledSubarray(rows, { minLength: rows.length }))

const overlappingRows = fc.array(
  fc.tuple(anyDay, fc.option(fc.integer({ min: 1, max: 15 })), fc.nat(99)).map(([from, length, value]) => {
    return row(from, length === null ? null : from + length, `v${value}`)
  }),
  { maxLength: 8 },
)

describe('insertFrom', () => {
  const rows = [row(10, 20, 'a'), row(20, 30, 'b'), row(35, null, 'c')]

  it.each([
    ['within a row', 15, [row(10, 15, 'a'), row(15, 20, 'new'), row(20, 30, 'b'), row(35, null, 'c')]],
    ['on a first day, replacing', 20, [row(10, 20, 'a'), row(20, 30, 'new'), row(35, null, 'c')]],
    ['in a gap', 32, [row(10, 20, 'a'), row(20, 30, 'b'), row(32, 35, 'new'), row(35, null, 'c')]],
    ['before all', 5, [row(5, 10, 'new'), ...rows]],
    [
      'in the open-ended row',
      40,
      [row(10, 20, 'a'), row(20, 30, 'b'), row(35, 40, 'c'), row(40, null, 'new')],
    ],
  ])('%s', (_, from, expected) => {
    expect(insertFrom(rows, day(from), 'new')).toEqual(expected)
  })

  it('starts a timeline', () => {
    expect(insertFrom([], day(3), 'new')).toEqual([row(3, null, 'new')])
  })

  it('keeps earlier values, changes only one range, and creates neither overlap nor gap', () => {
    fc.assert(
      fc.property(anyRows, anyDay, (before, from) => {
        const after = insertFrom(before, from, 'new')
        const [old, now] = [timeline(before), timeline(after)]
        const inserted = after.find((r) => r.value === 'new') ?? expect.fail('the new row is missing')
        expect(inserted.range.from).toBe(from)
        for (const d of days) expect(now[d]).toBe(contains(inserted.range, d) ? 'new' : old[d])
        // It never overlaps the next row.
        const replaced = new Set(days.filter((d) => contains(inserted.range, d)).map((d) => old[d]))
        expect(replaced.size).toBe(1)
        expect(findOverlaps(ranges(after))).toEqual([])
        expect(ranges(after).some(isEmpty)).toBe(false)
        if (old[from] !== null) expect(uncovered(after)).toEqual(uncovered(before))
      }),
      { numRuns: 1000 },
    )
  })
})

describe('splitAt', () => {
  it('splits the row that applies on the day', () => {
    expect(splitAt([row(1, 9, 'a')], day(4))).toEqual([row(1, 4, 'a'), row(4, 9, 'a')])
    expect(splitAt([row(1, 9, 'a')], day(1))).toEqual([row(1, 9, 'a')])
    expect(splitAt([row(1, 9, 'a')], day(9))).toEqual([row(1, 9, 'a')])
  })

  it('splits the row that includes the day', () => {
    fc.assert(
      fc.property(anyRows, anyDay, (rows, at) => {
        const split = splitAt(rows, at)
        expect(timeline(split)).toEqual(timeline(rows))
        expect(findOverlaps(ranges(split))).toEqual([])
        if (rowAt(rows, at) !== null) expect(rowAt(split, at)?.range.from).toBe(at)
      }),
    )
  })
})

describe('closeGap', () => {
  const rows = [row(7, 9, 'b'), row(1, 5, 'a'), row(12, null, 'c')]

  it('lets the earlier row last longer or the later one start sooner', () => {
    expect(closeGap(rows, 0, 'extend_earlier')).toEqual([row(1, 7, 'a'), row(7, 9, 'b'), row(12, null, 'c')])
    expect(closeGap(rows, 1, 'extend_later')).toEqual([row(1, 5, 'a'), row(7, 9, 'b'), row(9, null, 'c')])
    expect(() => closeGap(rows, 2, 'extend_later')).toThrow(RangeError)
  })

  it('removes the gap and changes no covered day', () => {
    fc.assert(
      fc.property(
        anyRows,
        fc.nat(11),
        fc.constantFrom('extend_earlier', 'extend_later'),
        (before, n, how) => {
          const sorted = before.toSorted((a, b) => a.range.from - b.range.from)
          const gaps = findGaps(ranges(sorted))
          const gap = gaps[n]
          if (gap === undefined) return
          const after = closeGap(before, n, how)
          expect(findGaps(ranges(after))).toEqual(gaps.filter((g) => g !== gap))
          expect(findOverlaps(ranges(after))).toEqual([])
          const extended = sorted[how === 'extend_earlier' ? gap.after : gap.before]?.value
          const [old, now] = [timeline(before), timeline(after)]
          for (const d of days) expect(now[d]).toBe(contains(gap, d) ? extended : old[d])
        },
      ),
      { numRuns: 1000 },
    )
  })
})

describe('endAt', () => {
  it('keeps every earlier day and removes all days from the day on', () => {
    fc.assert(
      fc.property(anyRows, anyDay, (rows, at) => {
        const ended = endAt(rows, at)
        expect(timeline(ended)).toEqual(timeline(rows).map((value, d) => (d < at ? value : null)))
        expect(ranges(ended).some(isEmpty)).toBe(false)
      }),
    )
  })
})

describe('openEnd', () => {
  it('makes the last row open-ended and does not change covered days', () => {
    expect(openEnd([row(5, 9, 'b'), row(1, 5, 'a')])).toEqual([row(1, 5, 'a'), row(5, null, 'b')])
    expect(openEnd([row(1, null, 'a')])).toEqual([row(1, null, 'a')])
    expect(openEnd([])).toEqual([])
    fc.assert(
      fc.property(anyRows, (rows) => {
        const opened = openEnd(rows)
        expect(timeline(opened).map((v, d) => timeline(rows)[d] ?? v)).toEqual(timeline(opened))
        expect(opened.at(-1)?.range.to ?? null).toBeNull()
        expect(findOverlaps(ranges(opened))).toEqual([])
      }),
    )
  })
})

describe('reshape', () => {
  const rows = [row(0, 10, 'a'), row(10, 20, 'b'), row(20, null, 'c')]
  const to = (from: number, end: number | null) => row(from, end, '').range

  it.each([
    [
      'an end, and the next row starts there',
      1,
      to(10, 25),
      'carry',
      [row(0, 10, 'a'), row(10, 25, 'b'), row(25, null, 'c')],
    ],
    [
      'a start, and the previous row ends there',
      1,
      to(5, 20),
      'carry',
      [row(0, 5, 'a'), row(5, 20, 'b'), row(20, null, 'c')],
    ],
    [
      'both, and the neighbours make room',
      1,
      to(5, 15),
      'carry',
      [row(0, 5, 'a'), row(5, 15, 'b'), row(15, null, 'c')],
    ],
    [
      'only as far as a day remains',
      1,
      to(-5, 20),
      'carry',
      [row(0, 1, 'a'), row(1, 20, 'b'), row(20, null, 'c')],
    ],
    [
      'without an open end over the next row',
      1,
      to(10, null),
      'carry',
      [row(0, 10, 'a'), row(10, 20, 'b'), row(20, null, 'c')],
    ],
    ['alone, leaving a gap', 1, to(12, 18), 'alone', [row(0, 10, 'a'), row(12, 18, 'b'), row(20, null, 'c')]],
    ['alone, over another', 1, to(5, 25), 'alone', [row(0, 10, 'a'), row(5, 25, 'b'), row(20, null, 'c')]],
    [
      'the first start freely',
      0,
      to(-9, 10),
      'carry',
      [row(-9, 10, 'a'), row(10, 20, 'b'), row(20, null, 'c')],
    ],
    ['the last end freely', 2, to(20, 30), 'carry', [row(0, 10, 'a'), row(10, 20, 'b'), row(20, 30, 'c')]],
  ] as const)('moves %s', (_, index, range, how, expected) => {
    expect(reshapeRow(rows, index, range, how)).toEqual(expected)
  })

  it('refuses a row that does not exist, and an empty range', () => {
    expect(() => reshapeRow(rows, 3, to(1, 2), 'carry')).toThrow(RangeError)
    expect(() => reshapeRow(rows, 1, to(5, 5), 'alone')).toThrow(RangeError)
  })

  it('keeps a timeline consistent: adjacent rows stay adjacent, none overlap, and every row keeps a day', () => {
    const end = fc.option(anyDay)
    fc.assert(
      fc.property(anyRows, fc.nat(11), anyDay, end, (before, n, from, until) => {
        const range = { from, to: until }
        if (before.length === 0 || isEmpty(range)) return
        const sorted = before.toSorted((a, b) => a.range.from - b.range.from)
        const index = n % sorted.length
        const moved = sorted[index]!
        const after = reshapeRow(before, index, range, 'carry')
        expect(after.map(({ value }) => value).toSorted()).toEqual(
          sorted.map(({ value }) => value).toSorted(),
        )
        expect(ranges(after).some(isEmpty)).toBe(false)
        const of = (value: string): Range => after.find((each) => each.value === value)!.range
        for (const [at, each] of sorted.entries()) {
          const follower = sorted[at + 1]
          if (
            follower !== undefined &&
            each.range.to === follower.range.from &&
            (each === moved || follower === moved)
          )
            expect(of(each.value).to).toBe(of(follower.value).from)
          if (each !== moved && Math.abs(at - index) > 1) expect(of(each.value)).toEqual(each.range)
        }
        // Between adjacent neighbours, it cannot overlap any row.
        const [one, other] = [sorted[index - 1], sorted[index + 1]]
        const heldBefore = one !== undefined && one.range.to === moved.range.from
        const heldAfter = other !== undefined && other.range.from === moved.range.to
        if (heldBefore && heldAfter) expect(findOverlaps(ranges(after))).toEqual([])
      }),
      { numRuns: 2000 },
    )
  })

  it('does not change other rows with "alone"', () => {
    fc.assert(
      fc.property(anyRows, fc.nat(11), anyDay, (before, n, from) => {
        if (before.length === 0) return
        const sorted = before.toSorted((a, b) => a.range.from - b.range.from)
        const moved = sorted[n % sorted.length]!
        const after = reshapeRow(before, n % sorted.length, { from, to: null }, 'alone')
        for (const each of sorted)
          expect(after.find(({ value }) => value === each.value)!.range).toEqual(
            each === moved ? { from, to: null } : each.range,
          )
      }),
    )
  })
})

describe('resolveOverlap', () => {
  const nested = [row(1, 20, 'a'), row(5, 8, 'b')]

  it('removes the shared days from the row that is not kept', () => {
    expect(resolveOverlap(nested, 0, 'keep_later')).toEqual([row(1, 5, 'a'), row(5, 8, 'b'), row(8, 20, 'a')])
    expect(resolveOverlap(nested, 0, 'keep_earlier')).toEqual([row(1, 20, 'a')])
    expect(resolveOverlap([row(1, 6, 'a'), row(4, null, 'b')], 0, 'keep_earlier')).toEqual([
      row(1, 6, 'a'),
      row(6, null, 'b'),
    ])
    expect(() => resolveOverlap(nested, 1, 'keep_later')).toThrow(RangeError)
  })

  it('ends after finitely many steps without overlaps, with every covered day still covered', () => {
    fc.assert(
      fc.property(overlappingRows, fc.constantFrom('keep_earlier', 'keep_later'), (before, how) => {
        let rows: RangeRow<string>[] = before
        for (let steps = 0; findOverlaps(ranges(rows)).length > 0; steps++) {
          if (steps > 200) expect.fail('the overlaps do not end')
          rows = resolveOverlap(rows, 0, how)
        }
        expect(uncovered(rows)).toEqual(uncovered(before))
      }),
      { numRuns: 500 },
    )
  })
})
