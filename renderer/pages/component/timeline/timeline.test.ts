// Lanes, their faults and fixes, what a key resolves to on a day, and the step that an edit of ranges makes.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findGaps, findOverlaps, insertFrom, reshapeRow, splitAt } from '#kernel/config/range.ts'
import { dateOf, dayOf, parseCivilDate, type DayNumber } from '#kernel/dates/civil-date.ts'
import { newRowCells } from '../sheet/paste.ts'
import { columns, entrySet, rates, sheetOf, type Row } from '../sheet/sheet-fixture.ts'
import { faultsOf, repairChange } from './faults.ts'
import { algebraOf, lanesOf } from './lanes.ts'
import { stepTo } from './range-step.ts'
import { resolveKeyAt } from './key-resolution.ts'

const day = (text: string): DayNumber => dayOf(parseCivilDate(text)!)
const from = 'body/effectiveFrom'
const to = 'body/effectiveTo'

/** Croatia, one day short before the euro, with an app row over it. */
const croatia: readonly Row[] = [
  ['hr_2023', 'HR', '2023-01-01', null, '0.2500'],
  ['hr_2012', 'HR', '2012-03-01', '2022-12-31', '0.2500'],
  ['hr_2009', 'HR', '2009-08-01', '2012-03-01', '0.2300'],
]
const withApp = () => {
  const sheet = sheetOf(croatia)
  sheet.add('new row', [
    newRowCells(columns, {
      'body/key': 'HR',
      'body/scope': { kind: 'app', app: 'catering' },
      [from]: '2013-01-01',
      [to]: '2020-01-01',
      'body/values/rate': '0.13',
    }),
  ])
  return sheet
}

describe('lanes', () => {
  it('follow the order of the chain, each in chronological order', () => {
    const lanes = lanesOf(withApp(), ['HR'])
    expect(lanes.map(({ scope, rows }) => [scope.kind, rows.map(({ range }) => dateOf(range.from))])).toEqual(
      [
        ['app', ['2013-01-01']],
        ['org', ['2009-08-01', '2012-03-01', '2023-01-01']],
      ],
    )
  })

  it('separate rows with a drafted removal, and omit rows without days', () => {
    const sheet = sheetOf(croatia)
    sheet.remove('remove', [2])
    sheet.write('typing', [{ row: 1, place: from, value: 'soon' }])
    const [lane] = lanesOf(sheet, ['HR'])
    expect([lane!.rows.map(({ id }) => id), lane!.removed.map(({ id }) => id)]).toEqual([[0], [2]])
  })

  it('follow a row to another key', () => {
    const sheet = sheetOf(rates)
    sheet.write('typing', [{ row: 0, place: 'body/key', value: 'DE' }])
    expect(lanesOf(sheet, ['AT'])).toEqual([])
    expect(lanesOf(sheet, ['DE'])[0]!.rows.map(({ id }) => id)).toEqual([0, 3, 2, 1])
  })
})

describe('faults', () => {
  it('are found like on the server, with the choices that fix them', () => {
    const [gap, ...others] = faultsOf(withApp(), entrySet, ['HR'])
    expect(others).toEqual([])
    expect(gap).toMatchObject({
      kind: 'gap',
      words: 'No value on 31 Dec 2022',
      earlier: 1,
      later: 0,
      scope: 'org',
    })
    expect(gap!.finding.repairs!.map(({ choice }) => choice)).toEqual([
      'extend_earlier',
      'extend_later',
      'set_value',
      'drop_key',
    ])
  })

  it.each([
    ['extend_earlier', [[1, to, '2023-01-01']]],
    ['extend_later', [[0, from, '2022-12-31']]],
  ] as const)('are fixed by %s', (choice, expected) => {
    const sheet = withApp()
    sheet.change('repair', repairChange(sheet, entrySet, faultsOf(sheet, entrySet, ['HR']), choice))
    for (const [row, place, value] of expected) expect(sheet.value(row, place)).toBe(value)
    expect(faultsOf(sheet, entrySet, ['HR'])).toEqual([])
    expect(sheet.undo()?.label).toBe('repair')
  })

  it('are fixed by a given value', () => {
    const sheet = withApp()
    const step = repairChange(sheet, entrySet, faultsOf(sheet, entrySet, ['HR']), 'set_value', {
      rate: '0.24',
    })
    sheet.change('repair', step)
    expect(step.added).toMatchObject([
      { 'body/key': 'HR', [from]: '2022-12-31', [to]: '2023-01-01', 'body/values/rate': '0.24' },
    ])
    expect(faultsOf(sheet, entrySet, ['HR'])).toEqual([])
  })

  it('are fixed by removing their key, if the user chooses so', () => {
    const sheet = withApp()
    sheet.change('repair', repairChange(sheet, entrySet, faultsOf(sheet, entrySet, ['HR']), 'drop_key'))
    expect(lanesOf(sheet, ['HR']).flatMap(({ rows }) => rows)).toEqual([])
    expect(sheet.addedRows()).toEqual([])
  })

  it('name overlaps, and an end after which no viewer has a value', () => {
    const sheet = sheetOf(croatia)
    sheet.write('typing', [
      { row: 1, place: to, value: '2024-01-01' },
      { row: 0, place: to, value: '2030-01-01' },
    ])
    const faults = faultsOf(sheet, entrySet, ['HR'])
    expect(faults.map(({ kind, words }) => [kind, words])).toEqual([
      ['overlap', 'Two values from 1 Jan 2023 to 31 Dec 2023'],
      ['end', 'No value from 1 Jan 2030 on'],
    ])
    sheet.change('repair', repairChange(sheet, entrySet, [faults[0]!], 'end_earlier'))
    sheet.change('repair', repairChange(sheet, entrySet, [faults[1]!], 'extend_last'))
    expect(faultsOf(sheet, entrySet, ['HR'])).toEqual([])
  })
})

describe('resolvedAt', () => {
  it('resolves for everyone and for the scopes that have rows', () => {
    const sheet = withApp()
    const at = (text: string) =>
      resolveKeyAt(sheet, entrySet, 'HR', day(text)).map(({ scope, row }) => [scope.kind, row])
    const app = sheet.addedRows()[0]
    expect(at('2015-06-01')).toEqual([
      ['org', 1],
      ['app', app],
    ])
    expect(at('2021-06-01')).toEqual([
      ['org', 1],
      ['app', 1],
    ])
    expect(at('2022-12-31')).toEqual([
      ['org', null],
      ['app', null],
    ])
  })
})

describe('the step of an edit of ranges', () => {
  const anyDay = fc.integer({ min: day('2005-01-01'), max: day('2030-01-01') }).map((n) => n as DayNumber)
  const edit = fc.oneof(
    fc.record({ do: fc.constant('split' as const), at: anyDay }),
    fc.record({ do: fc.constant('insert' as const), at: anyDay }),
    fc.record({ do: fc.constant('reshape' as const), at: anyDay, n: fc.nat(3) }),
  )

  it('makes the lane match the algebra, and is undone as a whole', () => {
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), (edits) => {
        const sheet = sheetOf(rates)
        for (const each of edits) {
          const rows = lanesOf(sheet, ['DE']).flatMap(algebraOf)
          const after =
            each.do === 'split'
              ? splitAt(rows, each.at)
              : each.do === 'insert'
                ? insertFrom<number | object>(rows, each.at, {
                    'body/key': 'DE',
                    'body/scope': { kind: 'org' },
                  })
                : reshapeRow(rows, each.n % rows.length, { from: each.at, to: null }, 'carry')
          sheet.change(each.do, stepTo(sheet, rows, after as never))
          const now = lanesOf(sheet, ['DE']).flatMap(algebraOf)
          expect(now.map(({ range }) => range)).toEqual(after.map(({ range }) => range))
          const ranges = now.map(({ range }) => range)
          expect([findGaps(ranges), findOverlaps(ranges)]).toEqual([
            findGaps(after.map(({ range }) => range)),
            [],
          ])
        }
        while (sheet.undo() !== null);
        expect([sheet.edited.size, sheet.addedRows()]).toEqual([0, []])
      }),
      { numRuns: 200 },
    )
  })
})
