// A new value ends the current row, starts on its day, and lasts as long as the row that it replaces.
import { describe, expect, it } from 'vitest'
import type { RangeRow } from '#kernel/config/range.ts'
import { dayOf, parseCivilDate, type DayNumber } from '#kernel/dates/civil-date.ts'
import { newValueFrom } from './new-value.ts'
import { currentRow, laneOf, plansOf, stepOf } from './new-values.ts'
import { column, context, sheetOf } from './sheet/sheet-fixture.ts'
import type { Sheet } from './sheet/sheet.ts'
import type { RowId } from './sheet/sheet-rows.ts'
import { algebraOf, lanesOf } from './timeline/lanes.ts'
import { stepTo } from './timeline/range-step.ts'

const day = (text: string): DayNumber => dayOf(parseCivilDate(text)!)
const row = (value: RowId, from: string, to: string | null): RangeRow<RowId> => ({
  value,
  range: { from: day(from), to: to === null ? null : day(to) },
})
const first = row(3, '2007-01-01', '2020-07-01')
const second = row(2, '2020-07-01', '2021-01-01')
const open = row(1, '2021-01-01', null)
const cells = { 'body/values/rate': '0.21' }
const plan = (lane: readonly RangeRow<RowId>[], from: string) => {
  const { rows: _rows, ...outcome } = newValueFrom(lane, day(from), cells)
  return outcome
}

describe('newValueFrom', () => {
  it('ends the open row and stays open', () =>
    expect(plan([first, second, open], '2027-01-01')).toEqual({ ends: 1, replaces: null, to: null }))

  it('stays within the row that it cuts', () =>
    expect(plan([first, second], '2010-01-01')).toEqual({ ends: 3, replaces: null, to: day('2020-07-01') }))

  it('replaces a row that starts on the day', () =>
    expect(plan([first, second, open], '2020-07-01')).toEqual({
      ends: null,
      replaces: 2,
      to: day('2021-01-01'),
    }))

  it('extends to the next row if no row applies on the day', () => {
    expect(plan([open], '2019-01-01')).toEqual({ ends: null, replaces: null, to: day('2021-01-01') })
    expect(plan([second], '2021-01-01')).toEqual({ ends: null, replaces: null, to: null })
  })
})

describe('the step of a new value', () => {
  const sheet = sheetOf()
  const [lane] = lanesOf(sheet, ['DE'])
  const before = algebraOf(lane!)

  it('ends one row and begins another', () => {
    const step = stepTo(sheet, before, newValueFrom(before, day('2027-01-01'), cells).rows)
    expect(step.added).toEqual([{ ...cells, 'body/effectiveFrom': '2027-01-01', 'body/effectiveTo': null }])
    expect(step.removed).toEqual([])
    sheet.change('new value', step)
    expect(sheet.value(1, 'body/effectiveTo')).toBe('2027-01-01')
    expect([...sheet.edited.keys()]).toEqual(['de_2021', '+1'])
    sheet.undo()
  })

  it('writes into the row that starts on the day, whose entry keeps its name', () => {
    const step = stepTo(sheet, before, newValueFrom(before, day('2020-07-01'), cells).rows)
    expect([step.added, step.removed]).toEqual([[], []])
    sheet.change('new value', step)
    expect([sheet.value(2, 'body/values/rate'), sheet.editOf(2)?.kind]).toEqual(['0.21', 'changed'])
    expect(sheet.edited.size).toBe(1)
    sheet.undo()
  })
})

describe('new values of many keys', () => {
  const from = parseCivilDate('2027-01-01')!
  const change = { kind: 'percent' as const, percent: '10' }
  const parts = (sheet: Sheet) => ({
    sheet,
    context,
    scope: { kind: 'org' as const },
    from,
    column: column('v:rate'),
  })

  it('changes each key from its own value, as one step', () => {
    const sheet = sheetOf()
    const plans = plansOf(['AT', 'DE', 'XX'], { ...parts(sheet), change })
    expect(plans.map(({ key, before, after, problem }) => [key, before, after, problem])).toEqual([
      ['AT', '0.2000', '0.2200', null],
      ['DE', '0.1900', '0.2090', null],
      ['XX', undefined, undefined, 'No row at this scope to start from.'],
    ])
    sheet.change('new values', stepOf(sheet, plans))
    expect(
      sheet.addedRows().map((row) => [sheet.value(row, 'body/key'), sheet.value(row, 'body/values/rate')]),
    ).toEqual([
      ['AT', '0.2200'],
      ['DE', '0.2090'],
    ])
    sheet.undo()
    expect(sheet.edited.size).toBe(0)
  })

  it('copies the value of one key to the others, and leaves a key that has it already', () => {
    const sheet = sheetOf()
    const plans = plansOf(['AT', 'DE'], { ...parts(sheet), change: { kind: 'copy', key: 'DE' } })
    expect(plans.map(({ after, problem }) => [after, problem])).toEqual([
      ['0.1900', null],
      ['0.1900', 'The value stays the same.'],
    ])
  })

  it('starts from the row that applies on the first day at the given scope', () => {
    const sheet = sheetOf()
    const lane = laneOf(sheet, 'DE', { kind: 'org' }, true)
    const at = (text: string) => currentRow(sheet, lane, day(text), true)
    expect([at('2020-08-01'), at('2027-01-01'), at('1990-01-01')]).toEqual([2, 1, 3])
    expect(
      currentRow(sheet, laneOf(sheet, 'DE', { kind: 'app', app: 'shop' }, true), day('2027-01-01'), true),
    ).toBeNull()
  })
})
