// The header Retry-After (RFC 9110, 10.2.3): seconds, or one of the three formats of a date.

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const imfDate = /^\w{3}, (\d{2}) (\w{3}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/
const rfc850Date = /^\w{6,9}, (\d{2})-(\w{3})-(\d{2}) (\d{2}):(\d{2}):(\d{2}) GMT$/
const asctimeDate = /^\w{3} (\w{3}) ([ \d]\d) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/

const yearSec = 31_536_000

/**
 * Returns the milliseconds to wait; null without a valid header. A date counts from the target's own clock, if the
 * response has a valid `date`.
 *
 * @param now milliseconds since 1970
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | null {
  const value = headers['retry-after']?.trim()
  if (value === undefined) return null
  if (/^\d+$/.test(value)) return Math.min(Number(value), yearSec) * 1000
  const at = parseHttpDate(value, now)
  if (at === null) return null
  const sent = headers['date'] === undefined ? null : parseHttpDate(headers['date'], now)
  return Math.max(0, at - (sent ?? now))
}

function parseHttpDate(text: string, now: number): number | null {
  const [, day, month, year, ...time] = imfDate.exec(text) ?? rfc850Date.exec(text) ?? []
  if (day !== undefined)
    return instantOf(year!.length === 2 ? fullYear(year!, now) : Number(year), month!, day, time)
  const [, namedMonth, asctimeDay, hour, minute, second, asctimeYear] = asctimeDate.exec(text) ?? []
  if (namedMonth === undefined) return null
  return instantOf(Number(asctimeYear), namedMonth, asctimeDay!, [hour!, minute!, second!])
}

function instantOf(year: number, month: string, day: string, time: readonly string[]): number | null {
  const index = months.indexOf(month)
  const [hour, minute, second] = time.map(Number)
  if (index < 0 || hour! > 23 || minute! > 59 || second! > 60) return null
  return Date.UTC(year, index, Number(day), hour, minute, second)
}

/** A year of two digits that would be more than 50 years ahead is in the past. */
function fullYear(digits: string, now: number): number {
  const current = new Date(now).getUTCFullYear()
  const year = Math.floor(current / 100) * 100 + Number(digits)
  return year > current + 50 ? year - 100 : year
}
