// The axis of the home page: the position of a day, which days are marked, and which marks share a row.
import { MONTHS } from '#kernel/dates/calendar.ts'
import { addDays, dateOf, dayOf, type CivilDate, type DayNumber } from '#kernel/dates/civil-date.ts'

export interface Axis {
  /** The first and the last day that are drawn. */
  today: CivilDate
  until: CivilDate
}

export interface Tick {
  /** 0 at the left end of the axis, 1 at the right. */
  at: number
  label: string
}

/** Days between two marks, and the largest number of marks at that distance. */
const steps = [1, 7, 14, 28]
const mostTicks = 14

/** The position of a day, from 0 to 1. */
export function positionOf({ today, until }: Axis, day: string): number {
  const [first, last] = [dayOf(today), dayOf(until)]
  return (dayOf(day as CivilDate) - first) / (last - first)
}

/** The first day of each month. The year is named with January, or instead of it in a short label. */
export function monthTicks({ today, until }: Axis): (Tick & { short: string })[] {
  const ticks: (Tick & { short: string })[] = []
  for (let day = dayOf(today) + 1; day <= dayOf(until); day += 1) {
    const [year, month, date] = dateOf(day as DayNumber)
      .split('-')
      .map(Number)
    if (date !== 1) continue
    const name = MONTHS[month! - 1]!
    ticks.push({
      at: positionOf({ today, until }, dateOf(day as DayNumber)),
      label: month === 1 ? `${name} ${year}` : name,
      short: month === 1 ? String(year) : name.slice(0, 3),
    })
  }
  return ticks
}

/**
 * Places the names of months so that none overlaps another or leaves the axis: short if the long names do not fit. Of
 * short names that do not fit, the year is kept.
 * @param width Pixels of the axis.
 * @param labelWidth Pixels of a name with its padding.
 */
export function placeMonths(
  axis: Axis,
  width: number,
  labelWidth: (label: string) => number,
): PlacedMark<string>[] {
  const ticks = monthTicks(axis)
  const marks = (name: 'label' | 'short'): Mark<string>[] =>
    ticks.map((tick) => ({ item: tick[name], at: tick.at, width: labelWidth(tick[name]) }))
  const long = stackMarks(marks('label'), width, 1)
  if (long.hidden === 0) return long.placed
  const isYear = ({ item }: Mark<string>): boolean => /^\d/.test(item)
  return stackMarks(
    marks('short').toSorted((a, b) => Number(isYear(b)) - Number(isYear(a))),
    width,
    1,
  ).placed
}

/** Mondays, or every second or fourth of them if there are many. */
export function weekTicks(axis: Axis): Tick[] {
  const length = dayOf(axis.until) - dayOf(axis.today)
  const step = steps.find((days) => days >= 7 && length / days <= mostTicks) ?? 28
  const ticks: Tick[] = []
  // Day 4 of the epoch, 5 January 1970, was a Monday.
  const toMonday = (((4 - dayOf(axis.today)) % 7) + 7) % 7
  for (let day = addDays(axis.today, toMonday); day <= axis.until; day = addDays(day, step))
    if (day > axis.today) ticks.push({ at: positionOf(axis, day), label: String(Number(day.slice(8))) })
  return ticks
}

/**
 * The ticks whose text, with its middle on its day, starts after the first `from` pixels and ends on the axis.
 * @param width Pixels of the axis.
 */
export function ticksThatFit(
  ticks: readonly Tick[],
  width: number,
  from: number,
  labelWidth: (text: string) => number,
): Tick[] {
  return ticks.filter(({ at, label }) => {
    const half = labelWidth(label) / 2
    return at * width - half >= from && at * width + half <= width
  })
}

export interface Mark<T> {
  item: T
  /** Its start, from 0 to 1. */
  at: number
  /** Pixels for the mark with its text. */
  width: number
}

export interface PlacedMark<T> extends Mark<T> {
  row: number
  /** Pixels from the left end; the text is left of the mark if it would pass the right end, and `width` is its room. */
  left: number
  turned: boolean
}

/** Places each mark in the first row that has room for it; `hidden` counts those that fit into no row. */
export function stackMarks<T>(
  marks: readonly Mark<T>[],
  width: number,
  rows: number,
): { placed: PlacedMark<T>[]; used: number; hidden: number } {
  const spansByRow: { from: number; to: number }[][] = []
  const placed: PlacedMark<T>[] = []
  for (const mark of marks) {
    const x = mark.at * width
    // The mark is on its day; a text that fits on neither side is truncated on the wider one.
    const turned = x + mark.width > width && (x - mark.width >= 0 || x > width / 2)
    const visibleWidth = Math.min(mark.width, turned ? x : width - x)
    const from = turned ? x - visibleWidth : x
    const span = { from: from - 8, to: from + visibleWidth + 8 }
    const free = Array.from({ length: rows }, (_, row) => row).find((row) =>
      (spansByRow[row] ?? []).every(({ from: start, to: end }) => span.to <= start || span.from >= end),
    )
    if (free === undefined) continue
    ;(spansByRow[free] ??= []).push({ from: span.from + 8, to: span.to - 8 })
    placed.push({ ...mark, width: visibleWidth, row: free, left: from, turned })
  }
  return { placed, used: spansByRow.length, hidden: marks.length - placed.length }
}
