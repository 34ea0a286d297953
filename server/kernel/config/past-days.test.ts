import { describe, expect, it } from 'vitest'
import { dayOf, parseCivilDate, type DayNumber } from '../dates/civil-date.ts'
import { countDays, changedPastRanges } from './past-days.ts'
import type { RangeRow } from './range-rows.ts'

const day = (text: string): DayNumber => dayOf(parseCivilDate(text)!)
const row = (value: string, from: string, to: string | null): RangeRow<string> => ({
  value,
  range: { from: day(from), to: to === null ? null : day(to) },
})
const today = day('2026-11-23')
const range = (from: string, to: string) => ({ from: day(from), to: day(to) })

describe('days before today that a change affects', () => {
  const before = [row('19', '2007-01-01', '2025-01-01'), row('21', '2025-01-01', null)]

  it('are those between the old and the new start of a row', () => {
    const after = [row('19', '2007-01-01', '2028-01-01'), row('21', '2028-01-01', null)]
    const found = changedPastRanges(before, after, today)
    expect(found).toEqual([range('2025-01-01', '2026-11-23')])
    expect(countDays(found)).toBe(691)
  })

  it('are empty if only today and later days change', () => {
    expect(changedPastRanges(before, [before[0]!, row('21', '2025-01-01', '2026-11-23')], today)).toEqual([])
    expect(changedPastRanges(before, [...before, row('23', '2030-01-01', null)], today)).toEqual([])
  })

  it('are empty if a row is split into parts with the same value', () => {
    const split = [before[0]!, row('21', '2025-01-01', '2025-06-01'), row('21', '2025-06-01', null)]
    expect(changedPastRanges(before, split, today)).toEqual([])
  })

  it('are all past days of a row that is added, removed or has a different value', () => {
    expect(changedPastRanges(before, [before[0]!, row('22', '2025-01-01', null)], today)).toEqual([
      range('2025-01-01', '2026-11-23'),
    ])
    expect(changedPastRanges(before, [before[1]!], today)).toEqual([range('2007-01-01', '2025-01-01')])
    expect(changedPastRanges([], [row('19', '2026-11-22', null)], today)).toEqual([
      range('2026-11-22', '2026-11-23'),
    ])
  })
})
