// How a typed text is interpreted in a column, and what the cell then shows and copies.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cellFault } from './cell-fault.ts'
import { formatCellForClipboard, dateOrderOf, editedText, parseCell, formatCell } from './cell-text.ts'
import type { CellValue } from './columns.ts'
import { column, columns, context } from './sheet-fixture.ts'

const read = (id: string, text: string) => parseCell(column(id), text, context)

describe('readCell', () => {
  it.each<[string, string, CellValue]>([
    ['v:rate', '0.19', '0.19'],
    ['v:rate', ' 0,25 ', '0.25'],
    ['v:rate', '1.250,00', '1250.00'],
    ['v:rate', '1,250', '1,250'],
    ['v:rate', '19 %', '19 %'],
    ['v:rate', '', undefined],
    ['v:currency', 'EUR', 'EUR'],
    ['v:currency', 'euro', 'EUR'],
    ['v:currency', 'hrk', 'HRK'],
    ['v:currency', 'CHF', 'CHF'],
    ['v:reduced', 'TRUE', true],
    ['v:reduced', 'no', false],
    ['v:reduced', 'perhaps', 'perhaps'],
    ['v:decided', '31.12.2025', '2025-12-31'],
    ['v:decided', '03/04/2025', '03/04/2025'],
    ['v:note', ' as it is ', ' as it is '],
    ['scope', 'org', { kind: 'org' }],
    ['scope', 'app, catering', { kind: 'app', app: 'catering' }],
    ['scope', 'permission set, tax', { kind: 'permission_set', permissionSet: 'tax' }],
    ['scope', 'locale=de-AT', { kind: 'locale', locale: 'de-AT' }],
    ['scope', 'somewhere', 'somewhere'],
    ['priority', '10', 10],
    ['priority', 'high', 'high'],
    ['from', '1 Jan 2027', '2027-01-01'],
    ['from', '', undefined],
    ['last', '', null],
    ['last', 'open', null],
    ['last', '2026-12-31', '2027-01-01'],
    ['last', '31.12.2026', '2027-01-01'],
    ['last', 'soon', 'soon'],
    ['last', '9999-12-31', '9999-12-31'],
  ])('%s: "%s" is %j', (id, text, value) => {
    expect(read(id, text).value).toEqual(value)
  })

  it('reports how a text was interpreted if that is a different text', () => {
    expect(read('v:rate', '0,25').readAs).toBe('0.25')
    expect(read('last', '31.12.2026').readAs).toBe('2026-12-31')
    expect(read('v:currency', 'euro').readAs).toBe('EUR')
    expect(read('v:rate', '0.25').readAs).toBeUndefined()
    expect(read('last', '2026-12-31').readAs).toBeUndefined()
  })

  it('takes the order of day and month from other cells of the column', () => {
    expect(dateOrderOf(['03/04/2025', '31/12/2025', ''])).toBe('DD/MM/YYYY')
    expect(dateOrderOf(['03/04/2025', '12/31/2025'])).toBe('MM/DD/YYYY')
    expect(dateOrderOf(['03/04/2025', '04/05/2025'])).toBeNull()
    expect(dateOrderOf(['31/12/2025', '12/31/2025'])).toBeNull()
    expect(dateOrderOf(['2025-01-01'])).toBeNull()
    expect(parseCell(column('v:decided'), '03/04/2025', context, 'MM/DD/YYYY').value).toBe('2025-03-04')
  })
})

describe('a cell', () => {
  it.each<[string, CellValue, string, string]>([
    ['v:rate', '0.19', '0.1900', '0.1900'],
    ['v:rate', '19 %', '19 %', '19 %'],
    ['v:rate', undefined, '', ''],
    ['v:reduced', true, 'yes', 'TRUE'],
    ['scope', { kind: 'app', app: 'catering' }, 'app, catering', 'app, catering'],
    ['scope', 'somewhere', 'somewhere', 'somewhere'],
    ['last', null, 'open', ''],
    ['last', '2027-01-01', '2026-12-31', '2026-12-31'],
    ['last', 'soon', 'soon', 'soon'],
    ['priority', 10, '10', '10'],
  ])('%s of %j shows "%s" and copies "%s"', (id, value, shown, copied) => {
    expect(formatCell(column(id), value)).toBe(shown)
    expect(formatCellForClipboard(column(id), value)).toBe(copied)
  })

  it('is edited as typed', () => {
    expect(editedText(column('v:rate'), '0.1900')).toBe('0.1900')
    expect(editedText(column('last'), null)).toBe('')
    expect(editedText(column('last'), '2027-01-01')).toBe('2026-12-31')
  })

  it('is read back from its copied text, for any typed text', () => {
    const writable = columns.filter(({ fixed }) => fixed !== true)
    fc.assert(
      fc.property(fc.constantFrom(...writable), fc.oneof(fc.string(), sometimes), (of, text) => {
        const { value } = parseCell(of, text, context)
        const again = parseCell(of, formatCellForClipboard(of, value), context).value
        expect(formatCell(of, again)).toBe(formatCell(of, value))
        expect(parseCell(of, formatCellForClipboard(of, again), context).value).toEqual(again)
      }),
      { numRuns: 500 },
    )
  })
})

const sometimes = fc.constantFrom(
  '0,5',
  '0.1',
  'yes',
  '2026-12-31',
  '31.12.2026',
  'org',
  'app, x',
  'EUR',
  '-3',
  'open',
)

describe('cellFault', () => {
  it.each<[string, CellValue, RegExp | null]>([
    ['v:rate', '0.19', null],
    ['v:rate', '19 %', /write 0.19|Write 0.19/i],
    ['v:rate', '0.12345', /after the decimal point/],
    ['v:rate', undefined, /Rate is missing/],
    ['v:currency', undefined, null],
    ['v:currency', 'CHF', /not in the value set currency/],
    ['v:reduced', 'perhaps', /true or false/],
    ['v:decided', '2025-02-30', /February 2025 has 28 days/],
    ['from', undefined, /From is missing/],
    ['last', null, null],
    ['last', 'soon', /not a date/],
    ['scope', { kind: 'locale', locale: 'de' }, /chain has no locale/],
    ['scope', { kind: 'app', app: '' }, /Name the app/],
    ['scope', 'somewhere', /Enter org/],
    ['priority', 'high', /whole number/],
    ['key', '', /empty/],
    ['label', '', null],
  ])('%s of %j', (id, value, words) => {
    const fault = cellFault(column(id), value, context)
    if (words === null) expect(fault).toBeNull()
    else expect(fault).toMatch(words)
  })
})
