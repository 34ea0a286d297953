// Instants: the value of a datetime field, exact and in UTC, without a Date object
// (docs/reference/expressions.md).
import { parseInstantDate, type CivilDate } from '../dates/civil-date.ts'

/** A point in time. `text` is canonical (UTC, shortest fraction); `order` sorts chronologically. */
export class Instant {
  readonly text: string
  readonly order: string
  /** The UTC calendar date. */
  readonly date: CivilDate

  constructor(date: CivilDate, time: string, fraction: string) {
    const shortest = fraction.replace(/0+$/, '')
    this.date = date
    this.text = `${date}T${time}${shortest === '' ? '' : `.${shortest}`}Z`
    this.order = `${date}T${time}.${fraction.padEnd(9, '0')}`
  }
}

const FORM = /T([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?(?:Z|([+-])([0-9]{2}):([0-9]{2}))$/i

/** Parses an ISO 8601 date and time with Z or an offset, to the nanosecond; null if the text is not one. */
export function parseInstant(text: string): Instant | null {
  const date = parseInstantDate(text)
  const match = FORM.exec(text)
  if (date === null || match === null) return null
  const offset = (match[5] === '-' ? -1 : 1) * (Number(match[6] ?? 0) * 60 + Number(match[7] ?? 0))
  const minutes = (((Number(match[1]) * 60 + Number(match[2]) - offset) % 1440) + 1440) % 1440
  const time = [Math.floor(minutes / 60), minutes % 60, Number(match[3] ?? 0)].map((part) =>
    String(part).padStart(2, '0'),
  )
  return new Instant(date, time.join(':'), match[4] ?? '')
}
