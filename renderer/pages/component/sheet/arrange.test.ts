// Which rows a sheet shows and in which order; the positions of rows that are added in this window.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arrangeRows, distinctTexts, type ArrangeDeps, type Arrangement } from './arrange.ts'
import { newRowCells } from './paste.ts'
import { placeRows } from './place-rows.ts'
import { column, columns, rates, sheetOf } from './sheet-fixture.ts'
import type { Sheet } from './sheet.ts'

const parts = (sheet: Sheet, more: Partial<ArrangeDeps> = {}): ArrangeDeps => ({
  sheet,
  columns,
  shown: columns,
  textCacheKey: {},
  insertedAfter: new Map(),
  hasFault: () => false,
  more: () => '',
  ...more,
})
const plain: Arrangement = { sorts: [], filters: [], words: '' }
const show = (sheet: Sheet, how: Partial<Arrangement>, more: Partial<ArrangeDeps> = {}) =>
  arrangeRows(parts(sheet, more), { ...plain, ...how })

const fresh = (sheet: Sheet, key: string, from: string, rate = '0.2') =>
  sheet.add('new row', [
    newRowCells(columns, { 'body/key': key, 'body/effectiveFrom': from, 'body/values/rate': rate }),
  ])[0]!

describe('the order', () => {
  it('follows the set, with each new row in its place', () => {
    const sheet = sheetOf()
    const newest = fresh(sheet, 'DE', '2027-01-01')
    const first = fresh(sheet, 'AA', '2020-01-01')
    const last = fresh(sheet, 'ZZ', '2020-01-01')
    const older = fresh(sheet, 'DE', '2010-01-01')
    expect(show(sheet, {})).toEqual([first, 0, newest, 1, 2, older, 3, last])
  })

  it('keeps a row after the one that it was added at, and others at the end', () => {
    const sheet = sheetOf()
    const copy = fresh(sheet, 'AT', '2027-01-01')
    const another = fresh(sheet, 'AA', '2027-01-01')
    const behind = new Map([
      [copy, 2],
      [another, null],
    ])
    expect(show(sheet, {}, { insertedAfter: behind })).toEqual([0, 1, 2, copy, 3, another])
  })

  it('follows a column, ascending or descending, with blanks last', () => {
    const sheet = sheetOf()
    sheet.write('typing', [{ row: 3, place: 'body/values/rate', value: undefined }])
    expect(show(sheet, { sorts: [{ column: 'v:rate', down: false }] })).toEqual([2, 1, 0, 3])
    expect(show(sheet, { sorts: [{ column: 'v:rate', down: true }] })).toEqual([0, 1, 2, 3])
    expect(show(sheet, { sorts: [{ column: 'last', down: true }] })).toEqual([0, 1, 2, 3])
    expect(
      show(sheet, {
        sorts: [
          { column: 'key', down: true },
          { column: 'from', down: false },
        ],
      }),
    ).toEqual([3, 2, 1, 0])
  })

  it('orders numbers by their exact value', () => {
    const sheet = sheetOf()
    const values = ['10', '9', '9.000000000000000001', '-1']
    sheet.write(
      'typing',
      values.map((value, row) => ({ row, place: 'body/values/rate', value })),
    )
    expect(show(sheet, { sorts: [{ column: 'v:rate', down: false }] })).toEqual([3, 1, 2, 0])
  })
})

describe('the filters', () => {
  it.each<[string, Partial<Arrangement>, number[]]>([
    ['texts', { filters: [{ column: 'key', kind: 'any', values: ['AT'] }] }, [0]],
    ['a part of a text', { filters: [{ column: 'from', kind: 'contains', text: '2020' }] }, [2]],
    ['numbers', { filters: [{ column: 'v:rate', kind: 'between', least: '0.17', most: '0.195' }] }, [1, 3]],
    ['dates', { filters: [{ column: 'last', kind: 'between', least: '2021-06-01', most: '' }] }, [0, 1]],
    [
      'last days up to one',
      { filters: [{ column: 'last', kind: 'between', least: '', most: '2020-06-30' }] },
      [3],
    ],
    ['what is empty', { filters: [{ column: 'v:note', kind: 'filled' }] }, []],
    ['words in any column', { words: 'de 2007' }, [3]],
    ['both together', { words: 'de', filters: [{ column: 'v:rate', kind: 'any', values: ['0.1600'] }] }, [2]],
    ['a removed column, not at all', { filters: [{ column: 'v:gone', kind: 'blank' }] }, [0, 1, 2, 3]],
  ])('match %s', (_, how, rows) => {
    expect(show(sheetOf(), how)).toEqual(rows)
  })

  it('match drafted rows and rows with findings', () => {
    const sheet = sheetOf()
    sheet.write('typing', [{ row: 1, place: 'body/values/rate', value: '0.5' }])
    sheet.remove('remove', [2])
    const drafted = {
      filters: [
        {
          column: 'state' as const,
          kind: 'state' as const,
          states: ['changed' as const, 'removed' as const],
        },
      ],
    }
    expect(show(sheet, drafted)).toEqual([1, 2])
    const faulty = {
      filters: [{ column: 'state' as const, kind: 'state' as const, states: ['fault' as const] }],
    }
    expect(show(sheet, faulty, { hasFault: (row) => row === 3 })).toEqual([3])
  })

  it('find the label of a value and newly typed text', () => {
    const sheet = sheetOf()
    expect(
      show(sheet, { words: 'germany' }, { more: (_, value) => (value === 'DE' ? 'Germany' : '') }),
    ).toEqual([1, 2, 3])
    sheet.write('typing', [{ row: 0, place: 'body/values/note', value: 'Reduced for hotels' }])
    expect(show(sheet, { words: 'HOTELS' })).toEqual([0])
  })

  it('offer the existing texts with their counts', () => {
    const parts_ = parts(sheetOf())
    expect(distinctTexts(parts_, column('key'), 10)).toEqual({
      texts: [
        { text: 'AT', rows: 1 },
        { text: 'DE', rows: 3 },
      ],
      more: 0,
    })
    expect(distinctTexts(parts_, column('from'), 2).more).toBe(rates.length - 2)
  })
})

describe('placeRows', () => {
  it('keeps the order of the others, without losing or duplicating any', () => {
    const neighbours = fc.array(fc.option(fc.nat(30)), { maxLength: 20 })
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(20), { maxLength: 15 }), neighbours, (rows, behind) => {
        const fresh = behind.map((_, at) => -at - 1)
        // Some after visible rows, some after each other, some after missing rows.
        const after = new Map(
          fresh.map((row, at) => [
            row,
            behind[at] === null
              ? null
              : behind[at]! > 20
                ? -(behind[at]! % (at + 1) || 0) || null
                : behind[at]!,
          ]),
        )
        const placed = placeRows(rows, fresh, after)
        expect([...placed].sort((a, b) => a - b)).toEqual([...rows, ...fresh].sort((a, b) => a - b))
        expect(placed.filter((row) => row >= 0)).toEqual(rows)
      }),
    )
  })

  it('places thousands after each other', () => {
    const fresh = Array.from({ length: 20_000 }, (_, at) => -at - 1)
    const after = new Map(fresh.map((row, at) => [row, at === 0 ? 5 : fresh[at - 1]!]))
    expect(placeRows([5, 6], fresh, after).slice(0, 3)).toEqual([5, -1, -2])
  })
})

describe('words', () => {
  const named = (value: unknown): string => (value === 'DE' ? 'Germany' : value === 'EUR' ? 'Euro' : '')
  const more: ArrangeDeps['more'] = (of, value) => (of.kind === 'key' ? named(value) : '')

  it('find the label that is shown next to a key, before and after the labels are loaded', () => {
    const sheet = sheetOf()
    expect(show(sheet, { words: 'germany' })).toEqual([])
    expect(show(sheet, { words: 'germany' }, { more, textCacheKey: {} })).toEqual([1, 2, 3])
  })

  it('find nothing in a column that is hidden', () => {
    const sheet = sheetOf()
    sheet.write('typing', [{ row: 0, place: 'body/values/note', value: 'Vienna' }])
    const shown = columns.filter(({ id }) => id !== 'v:note')
    expect(show(sheet, { words: 'vienna' })).toEqual([0])
    expect(show(sheet, { words: 'vienna' }, { shown })).toEqual([])
  })
})
