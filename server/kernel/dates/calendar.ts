/** Integer arithmetic of the proleptic Gregorian calendar. No Date object, no time zone. */

export const MIN_YEAR = 1
export const MAX_YEAR = 9999

export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

export interface YearMonthDay {
  readonly year: number
  /** 1 to 12 */
  readonly month: number
  /** 1 to 31 */
  readonly day: number
}

/** Returns the number of days in a month (1 to 12). */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Returns the days since 1970-01-01 of an existing day. */
export function dayNumber(year: number, month: number, day: number): number {
  // Years are counted from March, so that the leap day is the last day of its year (Hinnant, days_from_civil).
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146097 + dayOfEra - 719468
}

/** The inverse of `dayNumber`. */
export function yearMonthDay(dayNumber: number): YearMonthDay {
  const z = dayNumber + 719468
  const era = Math.floor(z / 146097)
  const dayOfEra = z - era * 146097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) /
      365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1,
  }
}

/** ISO 8601 text of a day: `2025-01-05`. */
export function formatIsoDate(year: number, month: number, day: number): string {
  const y = year >= 1000 ? `${year}` : `${year}`.padStart(4, '0')
  return `${y}-${month < 10 ? '0' : ''}${month}-${day < 10 ? '0' : ''}${day}`
}

/** Returns why a day does not exist, as the end of a sentence, or null if it exists. */
export function explainCalendarDay(year: number, month: number, day: number): string | null {
  if (year < MIN_YEAR || year > MAX_YEAR) return 'years run from 0001 to 9999'
  const name = MONTHS[month - 1]
  if (name === undefined) return `month ${month} does not exist; months run from 01 to 12`
  if (day < 1) return 'days start at 01'
  const length = daysInMonth(year, month)
  return day > length ? `${name} ${year} has ${length} days` : null
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}
