// Files as spreadsheets write them: titles above the header, dates and numbers in the file's own format, only first
// days.
import { describe, expect, it } from 'vitest'
import { component } from '#kernel/components/rule-fixture.ts'
import { MemoryView } from '#kernel/components/memory-view.ts'
import { normaliseComponent } from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { parseImportMap } from '#kernel/import/index.ts'
import { importTable, type ImportResult } from './import-table.ts'
import { inspectFile } from './inspect.ts'
import { readText } from './read-table.ts'

const set = component('config_set/vat_rate', {
  cardinality: 'keyed',
  keyedBy: { key: 'territory', type: 'text' },
  effectiveDated: true,
  asOfField: 'invoice.tax_point',
  fields: [
    { key: 'rate', type: 'number', precision: 9, scale: 4, required: true },
    { key: 'limit', type: 'number', precision: 12, scale: 2 },
  ],
})
const utf8 = (lines: readonly string[]): Uint8Array => new TextEncoder().encode(lines.join('\r\n'))

/** Imports like the dialog: the suggested map, completed by answers. */
async function imported(
  lines: readonly string[],
  answers: object = {},
  held: Component[] = [],
): Promise<ImportResult> {
  const bytes = utf8(lines)
  const found = await inspectFile(bytes, 'rates.csv', {}, set)
  const map = parseImportMap({ ...found.map, ...answers })
  const base = new MemoryView([set, ...held])
  const memory = {
    rows: {},
    generation: 1,
    definition: null,
    draftOf: () => undefined,
    wasRemoved: () => false,
  }
  return importTable(
    { set: 'vat_rate', table: readText(bytes, 'rates.csv', map), map, history: memory, again: false },
    base,
  )
}

const rows = ({ components }: ImportResult): unknown[] =>
  components.map(({ component: { body } }) => {
    const { key, effectiveFrom, effectiveTo, values } = body as Record<string, unknown>
    return [key, effectiveFrom, effectiveTo, values]
  })
const held = (key: string, rate: string, from = '2020-01-01'): Component =>
  normaliseComponent(
    component(`config_entry/vat_rate.${key.toLowerCase()}_${from.replaceAll('-', '_')}`, {
      set: 'vat_rate',
      key,
      scope: { kind: 'org' },
      effectiveFrom: from,
      effectiveTo: null,
      values: { rate },
    }),
    new MemoryView([set]),
  )

describe('the header row', () => {
  it('is found below title lines, which do not count as rows', async () => {
    const lines = [
      'Umsatzsteuersätze 2027;;;',
      'Stand: 01.11.2026;;;',
      ';;;',
      'Territory;Von;Rate;',
      'DE;01.01.2027;0,21;',
    ]
    const inspection = await inspectFile(utf8(lines), 'rates.csv', {}, set)
    expect(inspection).toMatchObject({
      header: 4,
      headerCertain: true,
      rows: 1,
      map: { header: 4, key: 'Territory' },
    })
    expect(inspection.above.map(({ line }) => line)).toEqual([1, 2, 4])
    expect(rows(await imported(lines))).toEqual([['DE', '2027-01-01', null, { rate: '0.2100' }]])
  })

  it('is found above cells of several lines', async () => {
    const lines = ['Rates', 'territory,from,rate', '"D', 'E",2027-01-01,0.2', 'AT,2027-01-01,0.2']
    expect((await inspectFile(utf8(lines), 'rates.csv', {}, set)).header).toBe(2)
  })

  it('can be chosen by its line, and a line without a row is reported', async () => {
    const lines = ['a,b,c', 'territory,from,rate', 'DE,2027-01-01,0.2']
    const found = await inspectFile(utf8(lines), 'rates.csv', { header: 2 }, set)
    expect(found).toMatchObject({ header: 2, headerCertain: true, rows: 1 })
    await expect(inspectFile(utf8(lines), 'rates.csv', { header: 9 }, set)).rejects.toThrow(
      'rates.csv has no row on line 9',
    )
  })
})

describe('counts', () => {
  it('an empty line is not a row, regardless of its delimiters', async () => {
    const result = await imported(['territory;from;rate', 'DE;2027-01-01;0,2', ';;', '', ' ; ;'])
    expect(result.facts).toMatchObject({ rows: 1, entries: 1, refused: 0 })
    expect(result.findings).toEqual([])
  })

  it('a row with three errors is one row that is not imported', async () => {
    const good = ['DE', 'AT', 'FR'].map((key) => `${key};2027-01-01;0,2`)
    const result = await imported(['territory;from;rate', ...good, ';x;y'])
    expect(result.findings.length).toBeGreaterThan(1)
    expect(result.facts).toMatchObject({ rows: 4, entries: 3, refused: 1 })
  })
})

describe('forms of a column', () => {
  it('reads dates in a separate format for each column', async () => {
    const result = await imported([
      'territory;from;to;rate',
      'DE;1. Juli 2027;31.12.2027;0,2',
      'DE;1. Januar 2028;;0,3',
    ])
    expect(rows(result)).toEqual([
      ['DE', '2027-07-01', '2028-01-01', { rate: '0.2000' }],
      ['DE', '2028-01-01', null, { rate: '0.3000' }],
    ])
  })

  it('numbers with groups, and a decimal comma in only one column', async () => {
    const result = await imported([
      'territory;from;rate;limit',
      'DE;2027-01-01;0,2;1,234.50',
      "AT;2027-01-01;0,3;1'000.25",
    ])
    expect(rows(result)).toEqual([
      ['DE', '2027-01-01', null, { rate: '0.2000', limit: '1234.50' }],
      ['AT', '2027-01-01', null, { rate: '0.3000', limit: '1000.25' }],
    ])
  })

  it('a number that could be in thousands is asked about, and read as answered', async () => {
    const lines = ['territory;from;rate;limit', 'DE;2027-01-01;0,2;1.234']
    const found = await inspectFile(utf8(lines), 'rates.csv', {}, set)
    expect(found.questions.map(({ about }) => about)).toEqual(['decimal'])
    expect(rows(await imported(lines, { decimal: 'comma' }))[0]).toMatchObject({ 3: { limit: '1234.00' } })
  })

  it('reads a column in thousands', async () => {
    const values = { rate: 'rate', limit: { column: 'limit', times: '1000' } }
    const result = await imported(['territory,from,rate,limit', 'DE,2027-01-01,0.2,1.5'], { values })
    expect(rows(result)[0]).toMatchObject({ 3: { limit: '1500.00' } })
  })
})

describe('only first days', () => {
  const lines = [
    'territory,from,rate',
    'DE,2022-01-01,0.3',
    'DE,2020-01-01,0.1',
    'AT,2020-01-01,0.2',
    'DE,2021-01-01,0.2',
  ]

  it('are asked about, and each row ends where the next begins', async () => {
    const found = await inspectFile(utf8(lines), 'rates.csv', {}, set)
    expect(found.questions).toMatchObject([{ about: 'ends', choices: ['next', 'open'] }])
    expect(rows(await imported(lines, { ends: 'next' }))).toEqual([
      ['DE', '2022-01-01', null, { rate: '0.3000' }],
      ['DE', '2020-01-01', '2021-01-01', { rate: '0.1000' }],
      ['AT', '2020-01-01', null, { rate: '0.2000' }],
      ['DE', '2021-01-01', '2022-01-01', { rate: '0.2000' }],
    ])
  })

  it('are not asked about if every key has one row', async () => {
    expect((await inspectFile(utf8(lines.slice(0, 2)), 'rates.csv', {}, set)).questions).toEqual([])
  })
})

describe('plausibility', () => {
  const warnings = ({ findings }: ImportResult) =>
    findings.filter(({ code }) => code === 'import.implausible')
  const existingEntries = [held('DE', '0.19'), held('AT', '0.20'), held('FR', '0.20')]

  it('a forgotten percent sign is one warning that explains how to correct the column', async () => {
    const result = await imported(
      ['territory,from,rate', 'DE,2027-01-01,21', 'AT,2027-01-01,20', 'FR,2027-01-01,19'],
      {},
      existingEntries,
    )
    expect(warnings(result)).toMatchObject([
      {
        component: 'config_set/vat_rate',
        severity: 'warning',
        facts: { field: 'rate', times: '0.01', compared: 3, matching: 3 },
      },
    ])
    const corrected = { values: { rate: { column: 'rate', as: 'percent' } } }
    expect(
      warnings(await imported(['territory,from,rate', 'DE,2027-01-01,21'], corrected, existingEntries)),
    ).toEqual([])
  })

  it.each([
    ['0.0021', '100'],
    ['210', '0.001'],
    ['-0.19', '-1'],
  ])('%s instead of 0.19 suggests a factor of %s', async (cell, times) => {
    const result = await imported(['territory,from,rate', `DE,2027-01-01,${cell}`], {}, existingEntries)
    expect(warnings(result)).toMatchObject([{ facts: { times } }])
  })

  it('reports a single implausible row by its entry', async () => {
    const lines = ['territory,from,rate', 'DE,2027-01-01,0.21', 'AT,2027-01-01,0.2', 'FR,2027-01-01,19']
    expect(warnings(await imported(lines, {}, existingEntries))).toMatchObject([
      { component: 'config_entry/vat_rate.fr_2027_01_01', path: '/body/values/rate' },
    ])
  })

  it('new keys are compared with the whole set', async () => {
    const lines = ['territory,from,rate', 'ES,2027-01-01,21', 'IT,2027-01-01,22', 'PT,2027-01-01,23']
    expect(warnings(await imported(lines, {}, existingEntries))).toMatchObject([{ facts: { times: '0.01' } }])
  })

  it('ordinary changes and an empty set give no warning', async () => {
    const lines = ['territory,from,rate', 'DE,2027-01-01,0.07', 'AT,2027-01-01,0.4']
    expect(warnings(await imported(lines, {}, existingEntries))).toEqual([])
    expect(warnings(await imported(lines))).toEqual([])
  })
})
