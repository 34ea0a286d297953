// Days before today on which the rows of a lane have different values than before.
import type { DayNumber } from '../dates/civil-date.ts'
import { contains, type Range } from './range-single.ts'
import type { RangeRow } from './range-rows.ts'

/**
 * Returns the ranges of days before `today` on which the values of the two lanes differ. Values are equal if they are
 * the same text. Ascending; adjacent ranges are merged.
 */
export function changedPastRanges(
  before: readonly RangeRow<string>[],
  after: readonly RangeRow<string>[],
  today: DayNumber,
): { from: DayNumber; to: DayNumber }[] {
  const edges = [...before, ...after].flatMap(({ range: { from, to } }) =>
    to === null ? [from] : [from, to],
  )
  const days = [...new Set([...edges.filter((day) => day < today), today])].sort((a, b) => a - b)
  const ranges: { from: DayNumber; to: DayNumber }[] = []
  for (const [at, from] of days.slice(0, -1).entries()) {
    if (valueOn(before, from) === valueOn(after, from)) continue
    const to = days[at + 1]!
    const last = ranges.at(-1)
    if (last?.to === from) last.to = to
    else ranges.push({ from, to })
  }
  return ranges
}

/** Counts the days of the ranges. */
export const countDays = (ranges: readonly (Range & { to: DayNumber })[]): number =>
  ranges.reduce((sum, { from, to }) => sum + to - from, 0)

function valueOn(rows: readonly RangeRow<string>[], day: DayNumber): string | undefined {
  return rows.find(({ range }) => contains(range, day))?.value
}
