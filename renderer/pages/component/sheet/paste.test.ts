// Pasting a block into a sheet, filling cells from others, and one change to many cells.
import { describe, expect, it } from 'vitest'
import { bulkPlan, type Bulk } from './bulk.ts'
import { parseBlock } from './cell-block.ts'
import { fillTargetOf, planFill } from './fill.ts'
import { pastePlan, pasteWords } from './paste.ts'
import type { Rect } from './selection.ts'
import { column, columns, context, sheetOf } from './sheet-fixture.ts'
import type { Sheet } from './sheet.ts'

const visibleColumns = columns.filter(({ hidden }) => !hidden)
const at = (id: string): number => visibleColumns.findIndex((each) => each.id === id)
const cell = (row: number, id: string): Rect => ({ top: row, bottom: row, left: at(id), right: at(id) })
const rows = [0, 1, 2, 3]
const plan = (sheet: Sheet, rect: Rect, text: string, order?: 'MM/DD/YYYY') =>
  pastePlan({ sheet, columns: visibleColumns, rows, rect, context }, parseBlock(text), order)

describe('a paste', () => {
  it('reads each cell by its column, keeps invalid cells as typed, and reports them', () => {
    const sheet = sheetOf()
    const result = plan(sheet, cell(0, 'v:rate'), '0,25\teuro\n23 %\tHRK\n')
    expect(result.writes).toEqual([
      { row: 0, place: 'body/values/rate', value: '0.25' },
      { row: 0, place: 'body/values/currency', value: 'EUR' },
      { row: 1, place: 'body/values/rate', value: '23 %' },
      { row: 1, place: 'body/values/currency', value: 'HRK' },
    ])
    expect(result).toMatchObject({
      cells: 4,
      invalidTexts: [{ text: '23 %', column: 'Rate' }],
      skippedCells: 0,
    })
    expect(pasteWords(result)).toBe(
      '2 × 2 pasted; “23 %” is not valid in Rate: kept as typed and marked; 0,25 read as 0.25 and 1 more.',
    )
  })

  it('adds rows after the last, for everyone and with no end', () => {
    const result = plan(sheetOf(), cell(3, 'key'), 'DE\t0.1\nFR\t0.2\nIT\t0.3')
    expect(result.writes).toHaveLength(2)
    expect(result.added).toEqual([
      {
        'body/scope': { kind: 'org' },
        'body/effectiveTo': null,
        'body/key': 'FR',
        'body/values/rate': '0.2',
      },
      {
        'body/scope': { kind: 'org' },
        'body/effectiveTo': null,
        'body/key': 'IT',
        'body/values/rate': '0.3',
      },
    ])
    expect(pasteWords(result)).toContain('2 rows added')
  })

  it('adds no row for a blank line between others, and reports how an invalid cell was read', () => {
    const made = plan(sheetOf(), cell(4, 'key'), 'FR\t0.2\n\t\nIT\t1.234,5678')
    expect(made.added.map((row) => row['body/key'])).toEqual(['FR', 'IT'])
    expect(pasteWords(made)).toContain('“1.234,5678” is not valid in Rate: kept as 1234.5678 and marked')
  })

  it('fills a selection that is a multiple of its size, and only then', () => {
    const sheet = sheetOf()
    const many = plan(sheet, { ...cell(0, 'v:rate'), bottom: 3 }, '0.5')
    expect(many.writes.map(({ row }) => row)).toEqual([0, 1, 2, 3])
    expect(plan(sheet, { ...cell(0, 'v:rate'), bottom: 2 }, '0.5\n0.6').writes).toHaveLength(2)
  })

  it('takes the order of day and month from the column, and leaves ambiguous days as typed', () => {
    const sheet = sheetOf()
    const sure = plan(sheet, cell(0, 'v:decided'), '03/04/2025\n31/12/2025')
    expect(sure.writes.map(({ value }) => value)).toEqual(['2025-04-03', '2025-12-31'])
    const doubtful = plan(sheet, cell(0, 'v:decided'), '03/04/2025\n04/05/2025')
    expect([doubtful.writes[0]!.value, doubtful.invalidTexts, doubtful.ambiguousDays]).toEqual([
      '03/04/2025',
      [],
      [
        { text: '03/04/2025', days: ['2025-04-03', '2025-03-04'] },
        { text: '04/05/2025', days: ['2025-05-04', '2025-04-05'] },
      ],
    ])
    expect(pasteWords(doubtful)).toBe('2 × 1 pasted; “03/04/2025” and 1 more can be read in two ways.')
  })

  it('reads ambiguous days in the order that the user chose, unless their column decides', () => {
    const sheet = sheetOf()
    const valuesOf = (text: string) =>
      plan(sheet, cell(0, 'v:decided'), text, 'MM/DD/YYYY').writes.map(({ value }) => value)
    expect(valuesOf('03/04/2025\n4-5-2025')).toEqual(['2025-03-04', '2025-04-05'])
    expect(valuesOf('03/04/2025\n31/12/2025')).toEqual(['2025-04-03', '2025-12-31'])
  })

  it('reports cells that could not be placed', () => {
    const sheet = sheetOf()
    sheet.remove('remove', [1])
    const result = plan(sheet, cell(0, 'priority'), '1\tbeyond\n2\t')
    expect(result.writes).toEqual([{ row: 0, place: 'body/priority', value: 1 }])
    expect(result.skippedCells).toBe(2)
    expect(pasteWords(result)).toContain('2 not placed, still on the clipboard')
  })
})

describe('a fill', () => {
  it('repeats its source as a pattern, and leaves the source unchanged', () => {
    const sheet = sheetOf()
    const source: Rect = { ...cell(0, 'v:rate'), bottom: 1 }
    const writes = planFill(sheet, visibleColumns, rows, source, { ...source, bottom: 3 })
    expect(writes).toEqual([
      { row: 2, place: 'body/values/rate', value: '0.2000' },
      { row: 3, place: 'body/values/rate', value: '0.1900' },
    ])
    const up = planFill(
      sheet,
      visibleColumns,
      rows,
      { ...cell(3, 'v:rate') },
      { ...cell(3, 'v:rate'), top: 2 },
    )
    expect(up).toEqual([{ row: 2, place: 'body/values/rate', value: '0.1900' }])
  })

  it('is copied along a row only into a column of the same type', () => {
    const source = cell(0, 'v:rate')
    expect(planFill(sheetOf(), visibleColumns, rows, source, { ...source, right: at('v:note') })).toEqual([])
    const dates: Rect = cell(2, 'from')
    expect(planFill(sheetOf(), visibleColumns, rows, dates, { ...dates, right: at('last') })).toEqual([
      { row: 2, place: 'body/effectiveTo', value: '2020-07-01' },
    ])
  })

  it('follows the direction in which the drag is longer', () => {
    const source: Rect = { top: 2, bottom: 3, left: 1, right: 2 }
    expect(fillTargetOf(source, { row: 9, column: 3 })).toEqual({ ...source, bottom: 9 })
    expect(fillTargetOf(source, { row: 1, column: 1 })).toEqual({ ...source, top: 1 })
    expect(fillTargetOf(source, { row: 3, column: 6 })).toEqual({ ...source, right: 6 })
    expect(fillTargetOf(source, { row: 2, column: 0 })).toEqual({ ...source, left: 0 })
  })
})

describe('a change of many', () => {
  const bulk = (change: Bulk, ids: readonly string[], sheet = sheetOf()) =>
    bulkPlan(
      sheet,
      rows.flatMap((row) => ids.map((id) => ({ row, column: column(id) }))),
      change,
      context,
    )
  const values = (change: Bulk, ids: readonly string[]) => bulk(change, ids).writes.map(({ value }) => value)

  it('adds and subtracts percentages by exact decimals, rounded half-even if needed', () => {
    expect(values({ kind: 'add', amount: '0.01' }, ['v:rate'])).toEqual([
      '0.2100',
      '0.2000',
      '0.1700',
      '0.2000',
    ])
    const percent = bulk({ kind: 'percent', percent: '2.5' }, ['v:rate'])
    expect(percent.writes.map(({ value }) => value)).toEqual(['0.2050', '0.1948', '0.1640', '0.1948'])
    expect(percent.rounded).toBe(2)
  })

  it('shifts days, months and years, and leaves an open end open', () => {
    expect(values({ kind: 'shift', by: 1, unit: 'years' }, ['from'])).toEqual([
      '1996-01-01',
      '2022-01-01',
      '2021-07-01',
      '2008-01-01',
    ])
    const ends = bulk({ kind: 'shift', by: -1, unit: 'days' }, ['last'])
    expect([ends.writes.map(({ value }) => value), ends.skippedCells]).toEqual([
      ['2020-12-31', '2020-06-30'],
      2,
    ])
    expect(bulk({ kind: 'shift', by: 99_999, unit: 'years' }, ['from']).skippedCells).toBe(4)
  })

  it('sets a value as if it were typed, and leaves cells for which it is not valid', () => {
    expect(values({ kind: 'set', text: '0,5' }, ['v:rate'])[0]).toBe('0.5')
    expect(bulk({ kind: 'add', amount: '1' }, ['v:note', 'from']).skippedCells).toBe(8)
  })
})
