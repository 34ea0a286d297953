// Entries as ranges of days, and their names in findings.
import { dateOf, formatLongDate, previousDay, type DayNumber } from '../../dates/civil-date.ts'
import type { Range } from '../../config/range.ts'
import type { ComponentOf } from '../body-types.ts'

export type ConfigEntry = ComponentOf<'config_entry'>
export type EntryOwner = ComponentOf<'config_set'> | ComponentOf<'feature_flag'>

export interface DatedEntry {
  entry: ConfigEntry
  range: Range
}

/** `vat_rate "DE"`, or the set alone for a singleton. */
export function describeKey(target: EntryOwner, businessKey: string | null): string {
  return businessKey === null ? target.key : `${target.key} "${businessKey}"`
}

/** `1 Jan 2027`. */
export function formatLongDay(day: DayNumber): string {
  return formatLongDate(dateOf(day))
}

/** The day before `day`, in words. */
export function formatLongDayBefore(day: DayNumber): string {
  return formatLongDate(previousDay(dateOf(day)))
}

/** `1 Jan 2020 to 31 Dec 2020`, `on 1 Jan 2020`, or `from 1 Jan 2020`. Names the last effective day, not the day after it. */
export function formatLongRange(range: Range): string {
  if (range.to === null) return `from ${formatLongDay(range.from)}`
  if (range.to - range.from === 1) return `on ${formatLongDay(range.from)}`
  return `${formatLongDay(range.from)} to ${formatLongDayBefore(range.to)}`
}
