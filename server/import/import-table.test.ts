import { describe, expect, it } from 'vitest'
import { MemoryView } from '#kernel/components/memory-view.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { parseImportMap } from '#kernel/import/index.ts'
import type { ImportHistory } from './import-history.ts'
import type { ImportRecord } from './import-record.ts'
import { importTable, type ImportResult } from './import-table.ts'
import { readText } from './read-table.ts'

const definition = {
  type: 'config_set',
  key: 'tax',
  label: 'Tax',
  body: {
    cardinality: 'keyed',
    keyedBy: { key: 'territory', type: 'text' },
    effectiveDated: true,
    asOfField: 'invoice.tax_point',
    fields: [
      { key: 'rate', type: 'number', precision: 6, scale: 4, required: true },
      { key: 'note', type: 'text' },
    ],
  },
}
const plain = {
  create: [definition],
  key: 'code',
  split: '\n',
  from: 'from',
  to: 'to',
  values: { rate: 'rate' },
}

interface Options {
  map?: object
  last?: ImportRecord
  memory?: Partial<ImportHistory>
  base?: Component[]
  again?: boolean
}

function read(
  text: string | Uint8Array,
  { map = {}, last = {}, memory = {}, base = [], again = false }: Options = {},
): ImportResult {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  const parsed = parseImportMap({ ...plain, ...map })
  const table = readText(bytes, 'tax.csv', parsed)
  const nothing: ImportHistory = {
    rows: last,
    generation: 1,
    definition: null,
    draftOf: () => undefined,
    wasRemoved: () => false,
  }
  const request = { set: 'tax', table, map: parsed, history: { ...nothing, ...memory }, again }
  return importTable(request, new MemoryView(base))
}

function entries({ components }: ImportResult) {
  return components.flatMap(({ component }) => (component.type === 'config_entry' ? [component] : []))
}

const short = (imported: ImportResult) =>
  entries(imported).map(({ key, body }) => [
    key,
    body.key,
    body.effectiveFrom,
    body.effectiveTo,
    body.values['rate'],
  ])

/** `[line, column, code]` of each finding. */
const places = ({ findings }: ImportResult) =>
  findings.map(({ facts, code }) => [facts?.['line'], facts?.['column'], code])

describe('importTable', () => {
  it('creates an entry for each key of a cell, with slugs that depend only on key and day', () => {
    const imported = read(
      'code,from,to,rate\n"GR-69\nGB-BFPO 57",2007-01-01,2010-07-01,.13\nDE,2021-01-01,,0.19\n'.replace(
        ',.13',
        ',0.13',
      ),
    )
    expect(short(imported)).toEqual([
      ['tax.gr_69_2007_01_01', 'GR-69', '2007-01-01', '2010-07-01', '0.1300'],
      ['tax.gb_bfpo_57_2007_01_01', 'GB-BFPO 57', '2007-01-01', '2010-07-01', '0.1300'],
      ['tax.de_2021_01_01', 'DE', '2021-01-01', null, '0.1900'],
    ])
    expect(imported.facts).toMatchObject({ rows: 2, keys: 3, entries: 3 })
  })

  it('reports the line of the file, counting line breaks inside quotes', () => {
    const rows = [
      'code,from,to,rate',
      '"A',
      'B",2020-01-01,,0.1',
      '',
      'C,2020-02-30,,0.1',
      '"D',
      'E",2020-01-01,,19%',
      'F,2020-01-01,2019-01-01,0.1',
      'G,2020-01-01',
      ',2020-01-01,,1',
    ]
    for (const lineBreak of ['\n', '\r\n']) {
      const imported = read(rows.join(lineBreak), { map: { split: lineBreak } })
      expect(places(imported)).toEqual([
        [5, 'from', 'import.date'],
        [6, 'rate', 'import.cell'],
        [8, 'to', 'import.date'],
        [9, 'from', 'import.row'],
        [10, 'code', 'import.key'],
      ])
      expect(entries(imported).map(({ body }) => body.key)).toEqual(['A', 'B'])
    }
  })

  it('interprets the end as the map specifies', () => {
    const text = 'code,from,to,rate\nA,2020-01-01,2020-12-31,0.1\n'
    expect(short(read(text, { map: { toIs: 'inclusive' } }))[0]![3]).toBe('2021-01-01')
    expect(short(read(text))[0]![3]).toBe('2020-12-31')
  })

  it('reads what spreadsheets write: semicolons, decimal commas, percent, day-first dates, other encodings', () => {
    const text = 'code;from;to;rate;ü\nA;1.2.2020;;19,5 %;x\n'
    const map = { dates: 'DD.MM.YYYY', values: { rate: { column: 'rate', as: 'percent' }, note: 'ü' } }
    const latin = Uint8Array.from(text, (letter) => letter.charCodeAt(0))
    const utf16 = new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))
    for (const bytes of [new TextEncoder().encode(`\ufeff${text}`), latin, utf16])
      expect(short(read(bytes, { map }))).toEqual([['tax.a_2020_02_01', 'A', '2020-02-01', null, '0.1950']])
    expect(read(latin, { map }).facts).toMatchObject({ encoding: 'windows-1252', delimiter: ';' })
  })

  it('counts a repeated row once and imports neither of two contradicting rows', () => {
    const imported = read(
      'code,from,to,rate\nA,2020-01-01,,0.1\nA,2020-01-01,,0.1\nB,2020-01-01,,0.1\nB,2020-01-01,,0.2\n',
    )
    expect(imported.findings.map(({ severity, facts }) => [severity, facts?.['line']])).toEqual([
      ['warning', 3],
      ['error', 5],
    ])
    expect(entries(imported).map(({ body }) => body.key)).toEqual(['A'])
  })

  it('distinguishes two keys with the same slug, in any order', () => {
    const rows = ['A-B,2020-01-01,,0.1', 'A B,2020-01-01,,0.2']
    const [one, other] = [rows, [...rows].reverse()].map(
      (lines) =>
        new Map(short(read(`code,from,to,rate\n${lines.join('\n')}`)).map(([key, code]) => [code, key])),
    )
    expect(one).toEqual(other)
    expect(new Set(one!.values()).size).toBe(2)
  })

  it('keeps the key of an existing entry, so a new rate is a change', () => {
    const existing = entries(read('code,from,to,rate\nA,2020-01-01,,0.1\n'))[0]!
    const base = [definitionOf(), { ...existing, key: 'tax.mine' }]
    expect(short(read('code,from,to,rate\nA,2020-01-01,,0.2\n', { base }))).toEqual([
      ['tax.mine', 'A', '2020-01-01', null, '0.2000'],
    ])
  })

  it('keeps what was edited since the last import of the same row, and imports a row that moved', () => {
    const text = 'code,from,to,rate\nA,2020-01-01,2021-01-01,0.1\n'
    const first = read(text)
    const imported = entries(first)[0]!
    const repaired = { ...imported, body: { ...imported.body, effectiveTo: null } }
    const base = [definitionOf(), repaired]
    expect(read(text, { base, last: first.record }).facts).toMatchObject({ entries: 1, keptAsEdited: 1 })
    expect(read(text, { base, last: first.record }).components).toEqual([])
    expect(short(read(text.replace('0.1\n', '0.3\n'), { base, last: first.record }))).toHaveLength(1)
  })

  it('identifies a row by its content, even after its entry moved', () => {
    const text = 'code,from,to,rate\nA,2020-01-01,2021-01-01,0.1\nA,2022-01-01,,0.2\n'
    const first = read(text)
    const [one, two] = entries(first)
    const later = { ...two!, body: { ...two!.body, effectiveFrom: one!.body.effectiveTo } } as Component
    const options = { base: [definitionOf(), one!, later], last: first.record }
    expect(short(read(text, options))).toHaveLength(1)
    expect(read(text, options)).toMatchObject({ facts: { keptAsEdited: 1 }, record: first.record })
    // The row itself moved: its entry is moved too, and no second one is created.
    const moved = text.replace('0.2\n', '0.3\nA,2021-01-01,2022-01-01,0.2\n')
    expect(short(read(moved, options)).slice(1)).toEqual([
      [two!.key, 'A', '2022-01-01', null, '0.3000'],
      ['tax.a_2021_01_01', 'A', '2021-01-01', '2022-01-01', '0.2000'],
    ])
    expect(short(read(text, { ...options, again: true }))[1]).toEqual([
      two!.key,
      'A',
      '2022-01-01',
      null,
      '0.2000',
    ])
  })

  it('omits what was removed, and restores what was never imported', () => {
    const text = 'code,from,to,rate\nA,2020-01-01,,0.1\n'
    const { record } = read(text)
    const [place, row] = Object.entries(record)[0]!
    const base = [definitionOf()]
    expect(short(read(text, { base, last: record }))).toHaveLength(1)
    expect(short(read(text, { base, last: record, memory: { wasRemoved: () => true } }))).toEqual([])
    const last = { [place]: { ...row, dropped: true as const } }
    const out = read(text, { base, last })
    expect([short(out), out.record]).toEqual([[], last])
    expect(short(read(text, { base, last, again: true }))).toHaveLength(1)
  })

  it('validates a draft as it was typed', () => {
    const text = 'code,from,to,rate\nA,2020-01-01,,0.1\n'
    const first = read(text)
    const mine = { ...entries(first)[0]!, label: 'mine' } as Component
    const memory = { draftOf: () => ({ component: mine, hints: {} }) }
    const again = read(text, { base: [definitionOf()], last: first.record, memory })
    expect(entries(again)).toEqual([mine])
    expect([...again.existingDrafts]).toEqual(['config_entry/tax.a_2020_01_01'])
    const removed = read(text, {
      base: [definitionOf()],
      last: first.record,
      memory: { draftOf: () => null },
    })
    expect(removed).toMatchObject({ components: [], removals: [], facts: { keptAsEdited: 1 } })
  })

  it('reads the last possible date as no end, and keeps the findings of other rows', () => {
    const rows =
      'code,from,to,rate\nA,2020-01-01,9999-12-31,0.1\nB,2020-01-01,10000-01-01,0.1\nC,2020-01-01,,x\n'
    const imported = read(rows, { map: { toIs: 'inclusive' } })
    expect(short(imported)).toEqual([['tax.a_2020_01_01', 'A', '2020-01-01', null, '0.1000']])
    expect(places(imported)).toEqual([
      [3, 'to', 'import.date'],
      [4, 'rate', 'import.cell'],
    ])
  })

  it('continues after an unclosed quote, and reports its line', () => {
    for (const lineBreak of ['\n', '\r\n']) {
      const rows = [
        'code,from,to,rate',
        'A,2020-01-01,,0.1',
        '"B,2020-01-01,,0.1',
        'C,2020-01-01,,"0.1',
        '"D',
        'E",2020-01-01,,0.1',
        'F,2020-01-01,,0"1',
        'G,2020-01-01,,0.1',
        '"H" x,2020-01-01,,0.1',
        'I,"2020-01-01,,0.1',
      ]
      const imported = read(rows.join(lineBreak), { map: { split: lineBreak } })
      expect(places(imported)).toEqual([
        [3, 'code', 'import.row'],
        [4, 'rate', 'import.row'],
        [7, 'rate', 'import.row'],
        [9, 'code', 'import.row'],
        [10, 'from', 'import.row'],
      ])
      expect(entries(imported).map(({ body }) => body.key)).toEqual(['A', 'D', 'E', 'G'])
    }
  })

  it('recovers rows that an unclosed quote included in its text', () => {
    const imported = read(
      'code,from,to,rate\nA,"2020-01-01,,0.1\nB,2020-01-01,,0.1\nC,2020-01-01,,0.1\n",\nD,2020-01-01,,0.1',
    )
    expect(entries(imported).map(({ body }) => body.key)).toEqual(['B', 'C', 'D'])
    expect(places(imported)).toEqual([
      [2, 'code', 'import.row'],
      [5, 'code', 'import.row'],
    ])
  })

  it('refuses a map that does not fit, naming the column', () => {
    expect(() => read('code,from,to,rates\n')).toThrow(
      /"values.rate" names the column "rate".*Did you mean "rates"/,
    )
    expect(() => parseImportMap({ values: {}, kye: 'x' })).toThrow(
      /^"kye" is not a property of the map\. Did you mean "key"\?$/,
    )
    expect(() => parseImportMap({})).toThrow(/^"values" is missing from the map\. Write an object\.$/)
    expect(() => parseImportMap({ values: { rate: { colum: 'x' } } })).toThrow(/Did you mean "column"\?$/)
    expect(() => parseImportMap({ values: {}, ends: 'never' })).toThrow(/Write open or next\.$/)
    expect(() => parseImportMap([])).toThrow(/^The map is a list; write an object\.$/)
    expect(() => read('code,from,"to,rate\nA')).toThrow(
      /tax.csv is not a table: on line 1, .* a quote is not closed/,
    )
    expect(() => read('')).toThrow(/tax.csv is empty/)
    expect(() => read('code,from\u0000')).toThrow(/tax.csv is not a text file/)
    expect(() => read('code,from,to,rate,rate\n')).toThrow(/two columns named "rate"/)
  })
})

function definitionOf(): Component {
  return read('code,from,to,rate\n').components[0]!.component
}
