// Moments of records in one time zone: the user's, in which they are shown and typed. They are stored in UTC.
import { explainCivilDate } from '#kernel/dates/explain-civil-date.ts'
import { civilDateReadings, parseCivilDate, type CivilDate } from '#kernel/dates/civil-date.ts'
import { parseInstant } from '#kernel/expr/instant.ts'
import { longDate } from './words.ts'

/** The time zone of the user's machine, such as `America/New_York`. */
export const userZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** `New York time`, `UTC`. */
export function zoneWords(zone: string): string {
  const city = zone.split('/').at(-1)!.replaceAll('_', ' ')
  return /^(?:UTC|GMT|UCT|Zulu|Universal|Greenwich)$/.test(city) ? 'UTC' : `${city} time`
}

/** `31 Jan 2026, 23:30`, with seconds if there are any; the text itself if it is not a moment. */
export function longMoment(instant: string, zone: string): string {
  const local = localTime(instant, zone)
  return local === null ? instant : `${longDate(local.day)}, ${local.time}`
}

/** `2026-01-31 23:30`, which `readMoment` reads as the same moment; the text itself if it is not a moment. */
export function momentText(instant: string, zone: string): string {
  const local = localTime(instant, zone)
  if (local === null) return instant
  const text = `${local.day} ${local.time}`
  // An hour that the clocks repeat needs its offset.
  const read = readMoment(text, zone)
  return 'value' in read && sameMoment(read.value, instant) ? text : instant
}

const sameMoment = (a: string, b: string): boolean => parseInstant(a)?.text === parseInstant(b)?.text

export type ReadMoment = { value: string } | { fault: string }

const example = '2026-01-31 12:00'
/** The minutes can be left out in `9 pm`. */
const time =
  /^(.*?)(?:[T\s,]+|^)(\d{1,2})(?:[:.](\d\d)(?:[:.](\d\d)(\.\d{1,9})?)?(?:\s*([ap])\.?m\.?)?|\s*([ap])\.?m\.?)\s*(Z|UTC|[+-]\d\d:?\d\d)?$/i

/**
 * Reads a date and a time as people write them, in the zone unless the text has an offset. A day alone is its first
 * moment.
 */
export function readMoment(text: string, zone: string, order: DayOrder = null): ReadMoment {
  const trimmed = text.trim()
  const [, date = trimmed, hour = '0', minute = '00', second = '00', fraction = '', half, halfAlone, offset] =
    time.exec(trimmed) ?? []
  const day = dayOf(date, order)
  if (day === null) return { fault: dayFaultOf(trimmed, date) }
  const hours = hourOf(Number(hour), (half ?? halfAlone)?.toLowerCase())
  if (hours === null || Number(minute) > 59 || Number(second) > 59)
    return { fault: `“${trimmed}” has a time that does not exist: enter it as ${example}.` }
  const at = Date.UTC(...partsOf(day), hours, Number(minute), Number(second))
  const start = new Date(at)
  start.setUTCFullYear(Number(day.slice(0, 4)))
  const utc =
    offset === undefined ? utcOf(start.getTime(), zone) : start.getTime() - minutesOf(offset) * 60_000
  if (utc === null)
    return { fault: `The clocks skip ${trimmed} in ${zoneWords(zone)}: enter an earlier or a later time.` }
  const moment = new Date(utc)
  const year = moment.getUTCFullYear()
  if (year < 1 || year > 9999) return { fault: `“${trimmed}” is outside the years 1 to 9999.` }
  return { value: moment.toISOString().slice(0, 19) + fraction.replace(/\.?0*$/, '') + 'Z' }
}

/** The day that a typed moment has in the zone; empty if it is not one. */
export function dayOfMoment(text: string, zone: string): string {
  const read = readMoment(text, zone)
  return 'value' in read ? (localTime(read.value, zone)?.day ?? '') : ''
}

/** A typed moment on a different day, at the same time; empty without a day. */
export function withDay(text: string, day: string | null, zone: string): string {
  if (day === null) return ''
  const read = readMoment(text, zone)
  return `${day} ${'value' in read ? (localTime(read.value, zone)?.time ?? '00:00') : '00:00'}`
}

type DayOrder = 'DD/MM/YYYY' | 'MM/DD/YYYY' | null

function dayOf(text: string, order: DayOrder): CivilDate | null {
  const trimmed = text.trim().replace(/,$/, '')
  const [dayFirst, monthFirst] = civilDateReadings(trimmed)
  const plain = parseCivilDate(trimmed)
  if (plain !== null) return plain
  if (monthFirst === undefined) return dayFirst ?? null
  return order === null ? null : order === 'DD/MM/YYYY' ? dayFirst! : monthFirst
}

function dayFaultOf(text: string, date: string): string {
  const readings = civilDateReadings(date.trim())
  const rest = text.slice(date.length).trim()
  if (readings.length > 1)
    return `“${text}” can be read in two ways: enter ${readings.map((day) => `${day} ${rest}`.trim()).join(' or ')}.`
  if (date !== text && date !== '') {
    const fault = explainCivilDate(date.trim())
    if (fault !== null) return `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.`
  }
  return `“${text}” is not a date and time: enter it as ${example}.`
}

function hourOf(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour > 23 ? null : hour
  if (hour < 1 || hour > 12) return null
  return (hour % 12) + (half === 'p' ? 12 : 0)
}

const partsOf = (day: CivilDate): [number, number, number] => [
  Number(day.slice(0, 4)),
  Number(day.slice(5, 7)) - 1,
  Number(day.slice(8, 10)),
]

function minutesOf(offset: string): number {
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d\d):?(\d\d)/.exec(offset) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

const dayLength = 86_400_000

/** The first moment at which the clocks of the zone show a time; null if they skip it. */
function utcOf(local: number, zone: string): number | null {
  const offsets = [local - dayLength, local + dayLength].map((at) => clockOf(at, zone) - at)
  const found = offsets.map((offset) => local - offset).filter((at) => clockOf(at, zone) === local)
  return found.length === 0 ? null : Math.min(...found)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** What the clocks of the zone show at a moment, as if it were UTC. */
function clockOf(at: number, zone: string): number {
  let format = formats.get(zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-GB', {
      ...{ timeZone: zone, hourCycle: 'h23', era: 'short', year: 'numeric', month: 'numeric' },
      ...{ day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
    })
    formats.set(zone, format)
  }
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
  const number = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type))
  const year = parts.get('era')?.startsWith('B') ? 1 - number('year') : number('year')
  const clock = new Date(0)
  clock.setUTCFullYear(year, number('month') - 1, number('day'))
  clock.setUTCHours(number('hour'), number('minute'), number('second'))
  return clock.getTime()
}

/** The day and the time that the clocks of the zone show; null if the text is not a moment. */
function localTime(instant: string, zone: string): { day: string; time: string } | null {
  const stored = parseInstant(instant)?.text
  if (stored === undefined) return null
  const [, whole = '', fraction = ''] = /^(.*?)(\.\d+)?Z$/.exec(stored) ?? []
  const clock = new Date(clockOf(Date.parse(`${whole}Z`), zone)).toISOString()
  if (!/^\d{4}-/.test(clock)) return null
  const seconds = `${clock.slice(17, 19)}${fraction}`
  return {
    day: clock.slice(0, 10),
    time: clock.slice(11, 16) + (seconds === '00' ? '' : `:${seconds}`),
  }
}
