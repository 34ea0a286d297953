// The labels of repairs of ranges, for findings and for the timeline, which names entries by their values.
import type { Range } from '../../config/range.ts'
import type { Repair } from '../../errors/finding.ts'
import { formatLongDay, formatLongDayBefore, formatLongRange } from './timeline.ts'

export interface RepairTarget {
  /** The name of the earlier entry, or of the only one. */
  earlier: string
  later?: string
  /** The days with two values or no value. */
  range: Range
  /** The key whose entries `drop_key` removes: `vat_rate "AT"`. */
  keyLabel: string
}

export type RangeChoice =
  'end_earlier' | 'extend_earlier' | 'extend_later' | 'extend_last' | 'set_value' | 'drop_key'

const labels: Record<RangeChoice, (place: RepairTarget) => string> = {
  end_earlier: ({ earlier, range }) => `End ${earlier} on ${formatLongDayBefore(range.from)}`,
  extend_earlier: ({ earlier, range }) =>
    range.to === null
      ? `Remove the end of ${earlier}`
      : `Extend ${earlier} to ${formatLongDayBefore(range.to)}`,
  extend_later: ({ later = '', range }) => `Start ${later} on ${formatLongDay(range.from)}`,
  extend_last: ({ earlier }) => `Remove the end of ${earlier}`,
  set_value: ({ range }) =>
    `Add an entry ${range.to === null ? formatLongRange(range) : `for ${days(range)}`}`,
  drop_key: ({ keyLabel }) => `Remove every entry of ${keyLabel}`,
}

const days = (range: Range): string => formatLongRange(range).replace(/^on /, '')

export function repairLabel(choice: RangeChoice, place: RepairTarget): string {
  return labels[choice](place)
}

const bulkLabels: Record<RangeChoice, string> = {
  end_earlier: 'End each earlier entry the day before the later one starts',
  extend_earlier: 'Extend each earlier entry to the day before the later one starts',
  extend_later: 'Start each later entry the day after the earlier one ends',
  extend_last: 'Remove the end of each last entry',
  set_value: 'Add an entry for each range without a value',
  drop_key: 'Remove every entry of these keys',
}

/** Returns the label of one choice for several findings; undefined if the choice does not fix ranges. */
export function bulkRepairLabel(choice: string): string | undefined {
  return (bulkLabels as Partial<Record<string, string>>)[choice]
}

export function rangeRepairs(choices: readonly RangeChoice[], place: RepairTarget): Repair[] {
  return choices.map((choice) => ({ choice, label: repairLabel(choice, place) }))
}
