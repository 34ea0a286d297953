/** Calendar dates: ISO 8601 text for people, day numbers for comparison. No time zones. See docs/reference/resolution-and-dates.md. */
import {
  dayNumber,
  daysInMonth,
  formatIsoDate,
  MAX_YEAR,
  MIN_YEAR,
  MONTHS,
  yearMonthDay,
} from './calendar.ts'
import { isoReadings } from './explain-civil-date.ts'

export { explainCivilDate } from './explain-civil-date.ts'

declare const civilDateBrand: unique symbol
declare const dayNumberBrand: unique symbol

/** An existing day as `YYYY-MM-DD`, from 0001-01-01 to 9999-12-31 in the proleptic Gregorian calendar. */
export type CivilDate = string & { readonly [civilDateBrand]: 'CivilDate' }

/** Days since 1970-01-01; negative before. */
export type DayNumber = number & { readonly [dayNumberBrand]: 'DayNumber' }

export const FIRST_DAY = dayNumber(MIN_YEAR, 1, 1) as DayNumber
export const LAST_DAY = dayNumber(MAX_YEAR, 12, 31) as DayNumber

const DASH = 45

/** Parses a date; null if the text is not exactly `YYYY-MM-DD` of an existing day. */
export function parseCivilDate(text: string): CivilDate | null {
  if (text.length !== 10 || text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return null
  const year = digits(text, 0, 4)
  const month = digits(text, 5, 7)
  const day = digits(text, 8, 10)
  // A character that is not a digit gives NaN, which fails every comparison.
  if (!(year >= MIN_YEAR && month >= 1 && month <= 12 && day >= 1)) return null
  return day <= daysInMonth(year, month) ? (text as CivilDate) : null
}

/**
 * Returns every date that a text can mean: none if it is not a date, two if the order of day and month is ambiguous.
 */
export function civilDateReadings(text: string): CivilDate[] {
  return isoReadings(text) as CivilDate[]
}

/** Returns the day number of a date. */
export function dayOf(date: CivilDate): DayNumber {
  return dayNumber(digits(date, 0, 4), digits(date, 5, 7), digits(date, 8, 10)) as DayNumber
}

/** Returns the date of a day number. Throws a RangeError outside the years 0001 to 9999. */
export function dateOf(day: DayNumber): CivilDate {
  if (!(day >= FIRST_DAY && day <= LAST_DAY)) {
    throw new RangeError(`Day number ${day} is outside the years 0001 to 9999.`)
  }
  const { year, month, day: dayOfMonth } = yearMonthDay(day)
  return formatIsoDate(year, month, dayOfMonth) as CivilDate
}

/** Returns the date `days` whole days later (earlier if negative). Throws a RangeError outside of 0001 to 9999. */
export function addDays(date: CivilDate, days: number): CivilDate {
  if (!Number.isSafeInteger(days)) throw new RangeError(`${days} is not a whole number of days.`)
  const day = (dayOf(date) + days) as DayNumber
  if (!(day >= FIRST_DAY && day <= LAST_DAY))
    throw new RangeError(`${days} days from ${date} is outside the years 0001 to 9999.`)
  return dateOf(day)
}

/**
 * Returns the same day of the month `months` later (earlier if negative), or the last day of that month if the day does
 * not exist. Throws a RangeError outside of 0001 to 9999.
 */
export function addMonths(date: CivilDate, months: number): CivilDate {
  if (!Number.isSafeInteger(months)) throw new RangeError(`${months} is not a whole number of months.`)
  const count = digits(date, 0, 4) * 12 + digits(date, 5, 7) - 1 + months
  const [year, month] = [Math.floor(count / 12), (count % 12) + 1]
  if (!(year >= MIN_YEAR && year <= MAX_YEAR))
    throw new RangeError(`${months} months from ${date} is outside the years 0001 to 9999.`)
  return formatIsoDate(year, month, Math.min(digits(date, 8, 10), daysInMonth(year, month))) as CivilDate
}

export function previousDay(date: CivilDate): CivilDate {
  return addDays(date, -1)
}

export function nextDay(date: CivilDate): CivilDate {
  return addDays(date, 1)
}

/** Returns the days from `from` to `to`: 1 for consecutive days, negative if `to` is earlier. */
export function daysBetween(from: CivilDate, to: CivilDate): number {
  return dayOf(to) - dayOf(from)
}

/** Returns -1, 0 or 1 if `a` is before, the same as or after `b`. */
export function compareDates(a: CivilDate, b: CivilDate): -1 | 0 | 1 {
  // With four-digit years, text order is chronological order.
  return a < b ? -1 : a > b ? 1 : 0
}

const INSTANT =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.[0-9]+)?)?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))$/

/**
 * Returns the UTC date of an ISO 8601 instant such as `2025-01-01T00:30:00+02:00` (which is 2024-12-31).
 * Null if the text is not one; a time without Z or an offset is not an instant.
 */
export function parseInstantDate(text: string): CivilDate | null {
  const match = INSTANT.exec(text)
  if (match === null) return null
  const date = parseCivilDate(match[1] ?? '')
  const [hour, minute, second] = [Number(match[2]), Number(match[3]), Number(match[4] ?? 0)]
  const [offsetHour, offsetMinute] = [Number(match[6] ?? 0), Number(match[7] ?? 0)]
  if (date === null || hour > 23 || minute > 59 || second > 59 || offsetHour > 23 || offsetMinute > 59)
    return null
  const offset = (match[5] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute)
  const day = dayOf(date) + Math.floor((hour * 60 + minute - offset) / 1440)
  return day >= FIRST_DAY && day <= LAST_DAY ? dateOf(day as DayNumber) : null
}

/** Formats a date for a sentence, with an English short month: `1 Jan 2027`. */
export function formatLongDate(date: CivilDate): string {
  const month = MONTHS[digits(date, 5, 7) - 1] ?? ''
  return `${digits(date, 8, 10)} ${month.slice(0, 3)} ${digits(date, 0, 4)}`
}

function digits(text: string, start: number, end: number): number {
  let value = 0
  for (let i = start; i < end; i++) {
    const digit = text.charCodeAt(i) - 48
    if (!(digit >= 0 && digit <= 9)) return NaN
    value = value * 10 + digit
  }
  return value
}
