// The studio's texts for dates, days, scopes and counts.
import { formatBytes } from '#kernel/change/format-bytes.ts'
import type { ChangeCounts } from '#kernel/change/index.ts'
import {
  formatLongDate,
  nextDay,
  parseCivilDate,
  previousDay,
  type CivilDate,
} from '#kernel/dates/civil-date.ts'
import { explainCivilDate } from '#kernel/dates/explain-civil-date.ts'
import { scopeName, type Scope } from '#kernel/components/scopes.ts'

/** `1 Jan 2027`; the text itself if it is not a date. */
export function longDate(text: string | null | undefined): string {
  const date = parseCivilDate(text ?? '')
  return date === null ? (text ?? '') : formatLongDate(date)
}

/** Explains why a text is not a day; null if it is one. */
export function dayFault(text: string): string | null {
  const fault = explainCivilDate(text)
  return fault === null ? null : `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.`
}

/** Explains this too if the day is before today. */
export function pastDayFault(text: string, today: string): string | null {
  const fault = dayFault(text)
  if (fault !== null || text >= today) return fault
  return `${longDate(text)} is in the past. Choose today or a later day.`
}

/** The last day that is included, of a range that ends before `effectiveTo`: `2026-12-31`, or `open`. */
export function lastDay(effectiveTo: string | null | undefined): string {
  if (effectiveTo === null || effectiveTo === undefined || effectiveTo === '') return 'open'
  const date = parseCivilDate(effectiveTo)
  return date === null || date === '0001-01-01' ? effectiveTo : previousDay(date)
}

/** The `effectiveTo` of a range with this last day; null after the last day of the calendar. */
export const endAfter = (day: CivilDate): CivilDate | null => (day === '9999-12-31' ? null : nextDay(day))

/** `org`, `app, catering`. */
export function scopeWords(scope: Scope | string | null | undefined): string {
  if (scope === null || scope === undefined) return ''
  if (typeof scope === 'string') return scope.replace('=', ', ').replace('permission_set', 'permission set')
  return scope.kind === 'org' ? 'org' : `${scope.kind.replace('_', ' ')}, ${scopeName(scope)}`
}

/** Created with the first date, because it takes two milliseconds, and once, because lists have hundreds of dates. */
function formatter(options: Intl.DateTimeFormatOptions): (at: Date) => string {
  let format: Intl.DateTimeFormat | undefined
  return (at) => (format ??= new Intl.DateTimeFormat('en-GB', options)).format(at)
}
const formatDay = formatter({ day: 'numeric', month: 'short' })
const formatDayOfYear = formatter({ day: 'numeric', month: 'short', year: 'numeric' })
const formatTime = formatter({ hour: '2-digit', minute: '2-digit' })

/** `14 Nov, 09:12` in the user's time zone; with the year if it differs from `year`. */
export function momentWords(instant: string, year = new Date().getFullYear()): string {
  const at = new Date(instant)
  if (Number.isNaN(at.getTime())) return instant
  const day = (at.getFullYear() === year ? formatDay : formatDayOfYear)(at)
  return `${day}, ${formatTime(at)}`
}

/** `10:42:07`. */
export function clockWords(at: Date): string {
  return at.toLocaleTimeString('en-GB')
}

/** `one, two and three`. */
export const listWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)!}`

/** `1,412` */
export const numberWords = (number: number): string => number.toLocaleString('en-GB')

/** `1 draft`, `29 drafts`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en-GB')} ${number === 1 ? one : many}`
}

/** "3 added, 1 changed"; a text for none if there is nothing. */
export function countsWords(counts: ChangeCounts | undefined, none = 'no change'): string {
  const kinds = Object.entries(counts ?? {}) as [string, number][]
  return (
    kinds
      .filter(([, many]) => many > 0)
      .map(([kind, many]) => `${many.toLocaleString('en-GB')} ${kind}`)
      .join(', ') || none
  )
}

export { formatBytes as bytesWords }

/** The effect of a change on a size: `96 B more than now`. */
export function growthWords(added: number): string {
  if (added === 0) return 'The same size as now'
  return added > 0 ? `${formatBytes(added)} more than now` : `${formatBytes(-added)} less than now`
}

/** The effect of an apply on the slices: `Slices: 4.63 MiB used, 96 B added, 59.37 MiB left.` */
export function budgetWords({ used, added, left }: { used: number; added: number; left: number }): string {
  const change =
    added < 0 ? `${formatBytes(-added)} freed, ` : added > 0 ? `${formatBytes(added)} added, ` : ''
  return `Slices: ${formatBytes(used)} used, ${change}${formatBytes(left)} left.`
}

/** A value as displayed in a grid. */
export function valueWords(value: unknown): string {
  if (value === true) return 'yes'
  if (value === false) return 'no'
  if (value === null || value === undefined) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A value's canonical JSON as displayed: a text without quotes, otherwise unchanged. */
export function formatCanonicalValue(json: string): string {
  return /^"(?:[^"\\]|\\.)*"$/.test(json) ? (JSON.parse(json) as string) : json
}
