// A new value ends the row that counts, starts on its day, and lasts as long as what it replaces.
import { describe, expect, it } from 'vitest'
import type { Row } from '#kernel/config/range.ts'
import { dayOf, parseCivilDate, type DayNumber } from '#kernel/dates/civil-date.ts'
import { newValueFrom } from './new-value.ts'
import { sheetOf } from './sheet/sheet-fixture.ts'
import type { RowId } from './sheet/sheet-rows.ts'
import { algebraOf, lanesOf } from './timeline/lanes.ts'
import { stepTo } from './timeline/range-step.ts'

const day = (text: string): DayNumber => dayOf(parseCivilDate(text)!)
const row = (value: RowId, from: string, to: string | null): Row<RowId> => ({
  value,
  range: { from: day(from), to: to === null ? null : day(to) },
})
const first = row(3, '2007-01-01', '2020-07-01')
const second = row(2, '2020-07-01', '2021-01-01')
const open = row(1, '2021-01-01', null)
const cells = { 'body/values/rate': '0.21' }
const plan = (lane: readonly Row<RowId>[], from: string) => {
  const { rows: _rows, ...told } = newValueFrom(lane, day(from), cells)
  return told
}

describe('newValueFrom', () => {
  it('ends the open row and stays open', () =>
    expect(plan([first, second, open], '2027-01-01')).toEqual({ ends: 1, replaces: null, to: null }))

  it('stays within the row that it cuts', () =>
    expect(plan([first, second], '2010-01-01')).toEqual({ ends: 3, replaces: null, to: day('2020-07-01') }))

  it('takes the place of a row that starts on the day', () =>
    expect(plan([first, second, open], '2020-07-01')).toEqual({
      ends: null,
      replaces: 2,
      to: day('2021-01-01'),
    }))

  it('reaches to the next row where none counts', () => {
    expect(plan([open], '2019-01-01')).toEqual({ ends: null, replaces: null, to: day('2021-01-01') })
    expect(plan([second], '2021-01-01')).toEqual({ ends: null, replaces: null, to: null })
  })
})

describe('the step of it', () => {
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
