// Parses a date as people write it into an ISO date, the same way for every date field of the studio.
import { civilDateReadings, type CivilDate } from '#kernel/dates/civil-date.ts'

export interface TypedDate {
  /** Null if the text is not a date. */
  date: CivilDate | null
  /** The second meaning of the text, if the order of day and month is ambiguous. */
  other: CivilDate | null
}

/** `07/01/2027` is 7 January, or 1 July if the month is written first. */
export function readTypedDate(text: string, monthFirst: boolean = writesMonthFirst()): TypedDate {
  const [dayFirst = null, other = null] = civilDateReadings(text)
  return monthFirst && other !== null ? { date: other, other: dayFirst } : { date: dayFirst, other }
}

/** Whether the user's locale writes the month before the day. */
export function writesMonthFirst(locale: string = navigator.language): boolean {
  const parts = new Intl.DateTimeFormat(locale, { dateStyle: 'short' }).formatToParts(new Date(2027, 6, 1))
  const order = parts.map(({ type }) => type)
  return order.indexOf('month') < order.indexOf('day') && order.indexOf('year') > order.indexOf('day')
}
