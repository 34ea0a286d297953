/** Edits of a timeline that keep it consistent. Input rows are in any order, results in chronological order. */
import type { DayNumber } from '../dates/civil-date.ts'
import { compareRanges, findGaps, findOverlaps } from './range-list.ts'
import { contains, earlierEnd, isEmpty, subtract, type Range } from './range-single.ts'

/** A value over a range of days. */
export interface RangeRow<T> {
  readonly range: Range
  readonly value: T
}

/** Returns a new list in chronological order. */
export function sortRows<T>(rows: readonly RangeRow<T>[]): RangeRow<T>[] {
  return [...rows].sort((a, b) => compareRanges(a.range, b.range))
}

/** Returns the row that applies on a day, or null. If rows overlap, the one that starts last. */
export function rowAt<T>(rows: readonly RangeRow<T>[], day: DayNumber): RangeRow<T> | null {
  return sortRows(rows).findLast((row) => contains(row.range, day)) ?? null
}

/**
 * "New value from …": ends the row that applies on `from` there, and adds a new one that lasts until the old row ended
 * or the next one starts. A row that started on `from` is replaced. Values before `from` do not change, so a new value
 * that starts after the last row ended leaves a gap. The rows must not overlap (see `resolveOverlap`).
 */
export function insertFrom<T>(rows: readonly RangeRow<T>[], from: DayNumber, value: T): RangeRow<T>[] {
  const current = rowAt(rows, from)
  const next = sortRows(rows).find((row) => row.range.from > from && !isEmpty(row.range))
  const to = earlierEnd(current?.range.to ?? null, next?.range.from ?? null)
  const kept = rows.flatMap((row) => (contains(row.range, from) ? shorten(row, from) : [row]))
  return sortRows([...kept, { range: { from, to }, value }])
}

/** Splits the row that applies on `day` into two with the same value, the second from `day` on. No value changes. */
export function splitAt<T>(rows: readonly RangeRow<T>[], day: DayNumber): RangeRow<T>[] {
  const pieces = rows.flatMap((row) => {
    const inside = contains(row.range, day) && row.range.from < day
    return inside ? [...shorten(row, day), { ...row, range: { from: day, to: row.range.to } }] : [row]
  })
  return sortRows(pieces)
}

/**
 * Closes one gap, by its position in `findGaps` of the sorted rows: the earlier row lasts longer or the later one
 * starts sooner. No covered day changes. Throws a RangeError if the gap does not exist.
 */
export function closeGap<T>(
  rows: readonly RangeRow<T>[],
  gapIndex: number,
  how: 'extend_earlier' | 'extend_later',
): RangeRow<T>[] {
  const sorted = sortRows(rows)
  const gap = findGaps(sorted.map((row) => row.range))[gapIndex]
  if (gap === undefined) throw new RangeError(`Gap number ${gapIndex} does not exist.`)
  const closed = sorted.map((row, i) => {
    if (how === 'extend_earlier')
      return i === gap.after ? { ...row, range: { ...row.range, to: gap.to } } : row
    return i === gap.before ? { ...row, range: { ...row.range, from: gap.from } } : row
  })
  return sortRows(closed)
}

/** Ends the timeline on `day`: the row that applies on it ends there, and rows that start later are removed. */
export function endAt<T>(rows: readonly RangeRow<T>[], day: DayNumber): RangeRow<T>[] {
  const future: Range = { from: day, to: null }
  return sortRows(rows.flatMap((row) => subtract(row.range, future).map((range) => ({ ...row, range }))))
}

/** Makes the row that ends last open-ended. If a row already is, nothing changes. */
export function openEnd<T>(rows: readonly RangeRow<T>[]): RangeRow<T>[] {
  const sorted = sortRows(rows)
  const end = sorted.reduce<DayNumber | null>((latest, { range }) => {
    return latest === null || range.to === null ? null : range.to > latest ? range.to : latest
  }, sorted[0]?.range.to ?? null)
  if (end === null) return sorted
  const last = sorted.findLastIndex((row) => row.range.to === end && !isEmpty(row.range))
  return sorted.map((row, i) => (i === last ? { ...row, range: { ...row.range, to: null } } : row))
}

/**
 * Changes the range of the row at `index` of the rows in chronological order. With `carry`, adjacent neighbours stay
 * adjacent: they become longer or shorter but keep at least one day, which limits the move. With `alone`, only the row
 * moves, which can leave gaps and overlaps. Throws a RangeError if the row does not exist or the range is empty.
 */
export function reshapeRow<T>(
  rows: readonly RangeRow<T>[],
  index: number,
  to: Range,
  how: 'carry' | 'alone',
): RangeRow<T>[] {
  const sorted = sortRows(rows)
  const row = sorted[index]
  if (row === undefined) throw new RangeError(`Row number ${index} does not exist.`)
  if (isEmpty(to)) throw new RangeError('A row must have at least one day.')
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

/** Limits the range so that the row and its neighbours keep at least one day each. */
function heldBy(to: Range, before: Range | undefined, after: Range | undefined): Range {
  const first = before === undefined ? to.from : latest(to.from, next(before.from))
  if (after === undefined) return { from: first, to: to.to === null ? null : latest(to.to, next(first)) }
  // A row with a following row has an end, and the following row keeps one day.
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
 * Resolves one overlap, by its position in `findOverlaps` of the sorted rows: the kept row does not change, the other
 * loses the shared days (which can remove it or split it in two). Every covered day stays covered.
 * Throws a RangeError if the overlap does not exist.
 */
export function resolveOverlap<T>(
  rows: readonly RangeRow<T>[],
  overlapIndex: number,
  how: 'keep_earlier' | 'keep_later',
): RangeRow<T>[] {
  const sorted = sortRows(rows)
  const pair = findOverlaps(sorted.map((row) => row.range))[overlapIndex]
  const winner = pair && sorted[how === 'keep_earlier' ? pair[0] : pair[1]]
  const cut = pair && sorted[how === 'keep_earlier' ? pair[1] : pair[0]]
  if (winner === undefined || cut === undefined) {
    throw new RangeError(`Overlap number ${overlapIndex} does not exist.`)
  }
  const pieces = subtract(cut.range, winner.range).map((range) => ({ ...cut, range }))
  return sortRows(sorted.flatMap((row) => (row === cut ? pieces : [row])))
}

function shorten<T>(row: RangeRow<T>, to: DayNumber): RangeRow<T>[] {
  return row.range.from < to ? [{ ...row, range: { from: row.range.from, to } }] : []
}
