// What a repair of a range does, as an action: for findings, and for the timeline, which calls entries by their values.
import type { Range } from '../../config/range.ts'
import type { Repair } from '../../errors/finding.ts'
import { longDay, longDayBefore, longRange } from './timeline.ts'

export interface RepairPlace {
  /** What the earlier entry, or the only one, is called. */
  earlier: string
  later?: string
  /** The days that have two values or none. */
  range: Range
  /** What `drop_key` empties: `vat_rate "AT"`. */
  all: string
}

export type RangeChoice =
  'end_earlier' | 'extend_earlier' | 'extend_later' | 'extend_last' | 'set_value' | 'drop_key'

const labels: Record<RangeChoice, (place: RepairPlace) => string> = {
  end_earlier: ({ earlier, range }) => `End ${earlier} on ${longDayBefore(range.from)}`,
  extend_earlier: ({ earlier, range }) =>
    range.to === null ? `Leave ${earlier} without an end` : `Extend ${earlier} to ${longDayBefore(range.to)}`,
  extend_later: ({ later = '', range }) => `Start ${later} on ${longDay(range.from)}`,
  extend_last: ({ earlier }) => `Leave ${earlier} without an end`,
  set_value: ({ range }) => `Add an entry ${range.to === null ? longRange(range) : `for ${days(range)}`}`,
  drop_key: ({ all }) => `Remove every entry of ${all}`,
}

const days = (range: Range): string => longRange(range).replace(/^on /, '')

export function repairLabel(choice: RangeChoice, place: RepairPlace): string {
  return labels[choice](place)
}

const labelsOfAll: Record<RangeChoice, string> = {
  end_earlier: 'End each earlier entry the day before the later one starts',
  extend_earlier: 'Extend each earlier entry to the day before the later one starts',
  extend_later: 'Start each later entry the day after the earlier one ends',
  extend_last: 'Leave each last entry without an end',
  set_value: 'Add an entry for each range without a value',
  drop_key: 'Remove every entry of these keys',
}

/** One choice for several findings; undefined for a choice that fixes something else than ranges. */
export function repairLabelOfAll(choice: string): string | undefined {
  return (labelsOfAll as Partial<Record<string, string>>)[choice]
}

export function rangeRepairs(choices: readonly RangeChoice[], place: RepairPlace): Repair[] {
  return choices.map((choice) => ({ choice, label: repairLabel(choice, place) }))
}
