// The visible time window of a timeline: its days, its ticks, and how it is moved and zoomed.
import type { Range } from '#kernel/config/range.ts'
import {
  addMonths,
  dateOf,
  dayOf,
  FIRST_DAY,
  LAST_DAY,
  type CivilDate,
  type DayNumber,
} from '#kernel/dates/civil-date.ts'

export interface TimeWindow {
  /** The first visible day, with a fraction. */
  start: number
  days: number
}

export interface Tick {
  day: number
  label: string
}

const leastDays = 14
const mostDays = 400 * 366

/** A window over all rows, with a margin on both sides. */
export function fitWindow(ranges: readonly Range[], today: number): TimeWindow {
  const first = ranges.reduce((least, { from }) => Math.min(least, from), today)
  const last = ranges.reduce((most, { from, to }) => Math.max(most, to ?? from), today)
  const spare = Math.max((last - first) * 0.06, 200)
  return clampWindow({ start: first - spare, days: last - first + spare * 2.6 })
}

/** Zooms around a position from 0 to 1; a `factor` below 1 shows less time. */
export function zoomWindow({ start, days }: TimeWindow, factor: number, around = 0.5): TimeWindow {
  const next = Math.min(Math.max(days * factor, leastDays), mostDays)
  return clampWindow({ start: start + (days - next) * around, days: next })
}

export function moveWindow({ start, days }: TimeWindow, by: number): TimeWindow {
  return clampWindow({ start: start + by, days })
}

/** A window of some days around a day, with more room before the day than after it. */
export function windowAround(day: number, days: number): TimeWindow {
  return clampWindow({ start: day - days * 0.62, days })
}

function clampWindow({ start, days }: TimeWindow): TimeWindow {
  const length = Math.min(Math.max(days, leastDays), LAST_DAY - FIRST_DAY)
  return { start: Math.min(Math.max(start, FIRST_DAY), LAST_DAY - length), days: length }
}

/** The position where a day begins, from 0 to 1; outside that range if it is not visible. */
export function positionOf({ start, days }: TimeWindow, day: number): number {
  return (day - start) / days
}

/** The day at a position. */
export function dayAt({ start, days }: TimeWindow, place: number): DayNumber {
  const day = Math.floor(start + place * days)
  return Math.min(Math.max(day, FIRST_DAY), LAST_DAY) as DayNumber
}

/** The steps of an axis, finest first: a number of months, or of days below one month. */
const steps: readonly { days?: number; months?: number }[] = [
  { days: 1 },
  { days: 7 },
  { months: 1 },
  { months: 3 },
  { months: 6 },
  { months: 12 },
  { months: 24 },
  { months: 60 },
  { months: 120 },
  { months: 240 },
  { months: 600 },
  { months: 1200 },
]

/** Ticks for an axis of `width` that are at least `apart` from each other, both in pixels. */
export function ticks(window: TimeWindow, width: number, apart = 42): Tick[] {
  const perDay = Math.max(width, 1) / window.days
  const step =
    steps.find(
      ({ days, months }) => (days ?? months! * 30.44) * perDay >= (days === undefined ? apart : apart + 14),
    ) ?? steps.at(-1)!
  const marks: Tick[] = []
  const end = window.start + window.days
  for (let day = firstTick(window.start, step); day < end;) {
    marks.push({ day, label: labelOf(day, step) })
    if (step.days !== undefined) day += step.days
    else {
      const next = nextMonth(day, step.months!)
      if (next === null) break
      day = next
    }
  }
  return marks
}

function firstTick(start: number, { days, months }: (typeof steps)[number]): number {
  if (days !== undefined) {
    // Weeks begin on Monday; day 4 was a Monday.
    const anchor = days === 7 ? 4 : 0
    return Math.ceil((start - anchor) / days) * days + anchor
  }
  const date = dateOf(Math.max(Math.floor(start), FIRST_DAY) as DayNumber)
  const count = (Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1) / months!
  const first = Math.max(Math.floor(count) * months!, 12)
  const day = dayOf(
    `${String(Math.floor(first / 12)).padStart(4, '0')}-${String((first % 12) + 1).padStart(2, '0')}-01` as CivilDate,
  )
  return day >= start ? day : (nextMonth(day, months!) ?? LAST_DAY + 1)
}

function nextMonth(day: number, months: number): number | null {
  const date = dateOf(day as DayNumber)
  return Number(date.slice(0, 4)) + months / 12 > 9999 ? null : dayOf(addMonths(date, months))
}

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function labelOf(day: number, { days, months = 0 }: (typeof steps)[number]): string {
  const date = dateOf(day as DayNumber)
  const [year, month, ofMonth] = [
    date.slice(0, 4),
    monthNames[Number(date.slice(5, 7)) - 1]!,
    Number(date.slice(8)),
  ]
  if (months >= 12) return year
  if (days !== undefined) return ofMonth === 1 || days === 7 ? `${ofMonth} ${month}` : String(ofMonth)
  return month === 'Jan' ? year : month
}

/** The step that a drag snaps to: a day, a month or a year, whichever is wide enough to hit. */
export function snapOf(window: TimeWindow, width: number): 'day' | 'month' | 'year' {
  const perDay = width / window.days
  return perDay >= 1.5 ? 'day' : perDay * 30 >= 3 ? 'month' : 'year'
}

export function snapDay(day: DayNumber, to: 'day' | 'month' | 'year'): DayNumber {
  if (to === 'day') return day
  const date = dateOf(day)
  const first = dayOf(`${date.slice(0, to === 'year' ? 4 : 7)}${to === 'year' ? '-01' : ''}-01` as CivilDate)
  const next = nextMonth(first, to === 'year' ? 12 : 1)
  return (next !== null && next - day < day - first ? next : first) as DayNumber
}
