/** The algebra of rows: edits of a timeline that keep it whole. Rows come in any order and go out in time's. 2.4; 7. */
import type { DayNumber } from '../dates/civil-date.ts'
import { compareRanges, findGaps, findOverlaps } from './range-list.ts'
import { contains, earlierEnd, isEmpty, subtract, type Range } from './range-single.ts'

/** A value over a range of days. */
export interface Row<T> {
  readonly range: Range
  readonly value: T
}

/** A new list in the order of time. */
export function sortRows<T>(rows: readonly Row<T>[]): Row<T>[] {
  return [...rows].sort((a, b) => compareRanges(a.range, b.range))
}

/** The row that counts on a day, or null. Where rows overlap, the one that starts last. */
export function rowAt<T>(rows: readonly Row<T>[], day: DayNumber): Row<T> | null {
  return sortRows(rows).findLast((row) => contains(row.range, day)) ?? null
}

/**
 * "New value from …": the row that counts on `from` ends there, and the new one lasts until where that row ended or the
 * next one starts. A row that started on `from` is replaced. What counts before `from` stays as it is, so a new value
 * that starts after everything has ended leaves a gap. The rows must not overlap (see `resolveOverlap`).
 */
export function insertFrom<T>(rows: readonly Row<T>[], from: DayNumber, value: T): Row<T>[] {
  const current = rowAt(rows, from)
  const next = sortRows(rows).find((row) => row.range.from > from && !isEmpty(row.range))
  const to = earlierEnd(current?.range.to ?? null, next?.range.from ?? null)
  const kept = rows.flatMap((row) => (contains(row.range, from) ? shorten(row, from) : [row]))
  return sortRows([...kept, { range: { from, to }, value }])
}

/** The row that counts on `day` becomes two with the same value, the second from `day` on. No value changes. */
export function splitAt<T>(rows: readonly Row<T>[], day: DayNumber): Row<T>[] {
  const pieces = rows.flatMap((row) => {
    const inside = contains(row.range, day) && row.range.from < day
    return inside ? [...shorten(row, day), { ...row, range: { from: day, to: row.range.to } }] : [row]
  })
  return sortRows(pieces)
}

/**
 * Closes one gap, by its position in `findGaps` of the sorted rows, by letting the earlier row last longer or the later
 * one start sooner. No covered day changes. Throws a RangeError when there is no such gap.
 */
export function closeGap<T>(
  rows: readonly Row<T>[],
  gapIndex: number,
  how: 'extend_earlier' | 'extend_later',
): Row<T>[] {
  const sorted = sortRows(rows)
  const gap = findGaps(sorted.map((row) => row.range))[gapIndex]
  if (gap === undefined) throw new RangeError(`There is no gap number ${gapIndex} to close.`)
  const closed = sorted.map((row, i) => {
    if (how === 'extend_earlier')
      return i === gap.after ? { ...row, range: { ...row.range, to: gap.to } } : row
    return i === gap.before ? { ...row, range: { ...row.range, from: gap.from } } : row
  })
  return sortRows(closed)
}

/** Nothing counts from `day` on: the row that counts on it ends there, and those that start later go. */
export function endAt<T>(rows: readonly Row<T>[], day: DayNumber): Row<T>[] {
  const future: Range = { from: day, to: null }
  return sortRows(rows.flatMap((row) => subtract(row.range, future).map((range) => ({ ...row, range }))))
}

/** The row that ends last becomes open-ended. Rows of which one is open-ended already stay as they are. */
export function openEnd<T>(rows: readonly Row<T>[]): Row<T>[] {
  const sorted = sortRows(rows)
  const end = sorted.reduce<DayNumber | null>((latest, { range }) => {
    return latest === null || range.to === null ? null : range.to > latest ? range.to : latest
  }, sorted[0]?.range.to ?? null)
  if (end === null) return sorted
  const last = sorted.findLastIndex((row) => row.range.to === end && !isEmpty(row.range))
  return sorted.map((row, i) => (i === last ? { ...row, range: { ...row.range, to: null } } : row))
}

/**
 * Gives the row at `index` of the rows in the order of time another range. With `carry`, a neighbour that met it meets it
 * still: it lasts longer or shorter, and keeps a day at least, so that the row moves no further than that. Alone, it
 * moves as it is told, and gaps and overlaps are what comes of it. Throws a RangeError where there is no such row, or the
 * range holds no day.
 */
export function reshape<T>(
  rows: readonly Row<T>[],
  index: number,
  to: Range,
  how: 'carry' | 'alone',
): Row<T>[] {
  const sorted = sortRows(rows)
  const row = sorted[index]
  if (row === undefined) throw new RangeError(`There is no row number ${index} to move.`)
  if (isEmpty(to)) throw new RangeError('A row counts on one day at least.')
  if (how === 'alone') return sortRows(sorted.map((each) => (each === row ? { ...row, range: to } : each)))
  const before = sorted.findLast((each, at) => at < index && each.range.to === row.range.from)
  const after = sorted.find((each, at) => at > index && each.range.from === row.range.to)
  const range = heldBy(to, before?.range, after?.range)
  const moved = sorted.map((each) => {
    if (each === row) return { ...row, range }
    if (each === before) return { ...each, range: { from: each.range.from, to: range.from } }
    return each === after ? { ...each, range: { from: range.to!, to: each.range.to } } : each
  })
  return sortRows(moved)
}

/** The range within what leaves its neighbours a day each, and itself one. */
function heldBy(to: Range, before: Range | undefined, after: Range | undefined): Range {
  const first = before === undefined ? to.from : latest(to.from, next(before.from))
  if (after === undefined) return { from: first, to: to.to === null ? null : latest(to.to, next(first)) }
  // A row that another follows has an end, and one day of the follower stays.
  const last = after.to === null ? to.to : earlierEnd(to.to, (after.to - 1) as DayNumber)
  const end = last ?? after.from
  const from = first < end ? first : ((end - 1) as DayNumber)
  if (before !== undefined && from <= before.from)
    return { from: next(before.from), to: next(next(before.from)) }
  return { from, to: end }
}

const next = (day: DayNumber): DayNumber => (day + 1) as DayNumber
const latest = (a: DayNumber, b: DayNumber): DayNumber => (a > b ? a : b)

/**
 * Resolves one overlap, by its position in `findOverlaps` of the sorted rows: the row kept stays whole, the other loses
 * the shared days (and goes, or becomes two, where that is what remains of it). Every covered day stays covered.
 * Throws a RangeError when there is no such overlap.
 */
export function resolveOverlap<T>(
  rows: readonly Row<T>[],
  overlapIndex: number,
  how: 'keep_earlier' | 'keep_later',
): Row<T>[] {
  const sorted = sortRows(rows)
  const pair = findOverlaps(sorted.map((row) => row.range))[overlapIndex]
  const kept = pair && sorted[how === 'keep_earlier' ? pair[0] : pair[1]]
  const cut = pair && sorted[how === 'keep_earlier' ? pair[1] : pair[0]]
  if (kept === undefined || cut === undefined) {
    throw new RangeError(`There is no overlap number ${overlapIndex} to resolve.`)
  }
  const pieces = subtract(cut.range, kept.range).map((range) => ({ ...cut, range }))
  return sortRows(sorted.flatMap((row) => (row === cut ? pieces : [row])))
}

function shorten<T>(row: Row<T>, to: DayNumber): Row<T>[] {
  return row.range.from < to ? [{ ...row, range: { from: row.range.from, to } }] : []
}
