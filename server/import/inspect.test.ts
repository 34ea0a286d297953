import { describe, expect, it } from 'vitest'
import { writeXlsx } from 'hucre/xlsx'
import type { ImportInspection } from '#kernel/import/index.ts'
import { component } from '#kernel/components/rule-fixture.ts'
import { inspectFile } from './inspect.ts'
import type { ReadOptions } from './read-table.ts'

const set = component('config_set/vat_rate', {
  cardinality: 'keyed',
  keyedBy: { key: 'territory', type: 'text' },
  effectiveDated: true,
  asOfField: 'invoice.tax_point',
  fields: [
    { key: 'rate', type: 'number', precision: 6, scale: 4, required: true },
    { key: 'note', type: 'text', label: 'Bemerkung' },
  ],
})
const latin = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

const inspect = (bytes: Uint8Array, options: ReadOptions = {}): Promise<ImportInspection> =>
  inspectFile(bytes, 'rates.csv', options, set)
const topicsOf = ({ questions }: ImportInspection): string[] => questions.map(({ about }) => about)

describe('an inspected file', () => {
  it('may express "no end" as the last possible date', async () => {
    const inspection = await inspect(
      utf8('territory,from,to,rate\nDE,2020-01-01,9999-12-31,0.1\nDE,2021-01-01,9999-12-31,0.2\n'),
    )
    expect(inspection.map).toMatchObject({ from: 'from', to: 'to' })
  })

  it('in Latin-1 with semicolons, decimal commas and day-first dates is mapped, with a question about its letters', async () => {
    const text = [
      'Territory;Gültig ab;Bis;Rate;Bemerkung',
      'DE;01.01.2007;30.06.2020;19,5 %;Regelsatz für Österreich',
      'DE;01.07.2020;31.12.2020;16 %;',
      '"DE";01.01.2021;;19 %;"Zeile eins\r\nZeile ""zwei"""',
    ].join('\r\n')
    const inspection = await inspect(latin(text))
    expect(inspection).toMatchObject({
      kind: 'csv',
      rows: 3,
      encoding: 'windows-1252',
      encodingCertain: false,
      lettered: ['Gültig ab', 'Regelsatz für Österreich'],
      delimiter: ';',
      delimiterCertain: true,
      header: 1,
      headerCertain: true,
      oddRows: { total: 0, lines: [] },
      map: {
        encoding: 'windows-1252',
        delimiter: ';',
        key: 'Territory',
        from: 'Gültig ab',
        to: 'Bis',
        toIs: 'inclusive',
        dates: 'DD.MM.YYYY',
        decimal: 'comma',
        values: { rate: { column: 'Rate', as: 'percent' }, note: 'Bemerkung' },
      },
    })
    expect(topicsOf(inspection)).toEqual(['encoding'])
    expect(inspection.columns.map(({ type }) => type)).toEqual(['text', 'date', 'date', 'number', 'text'])
    expect(inspection.sample[2]).toEqual({
      line: 4,
      cells: ['DE', '01.01.2021', '', '19 %', 'Zeile eins\r\nZeile "zwei"'],
    })
  })

  it('asks which part of a date is the day only if all dates could be read both ways', async () => {
    const both = await inspect(utf8('territory,from,rate\nDE,01/02/2020,0.1\nAT,03/04/2021,0.2\n'))
    expect(both.questions).toEqual([
      expect.objectContaining({ about: 'dates', choices: ['DD/MM/YYYY', 'MM/DD/YYYY'], columns: ['from'] }),
    ])
    expect(both.map).not.toHaveProperty('dates')
    const days = await inspect(utf8('territory,from,rate\nDE,01/02/2020,0.1\nAT,13/04/2021,0.2\n'))
    expect([topicsOf(days), days.map!['dates']]).toEqual([[], 'DD/MM/YYYY'])
    const months = await inspect(utf8('territory,from,rate\nDE,01/02/2020,0.1\nAT,03/14/2021,0.2\n'))
    expect([topicsOf(months), months.map!['dates']]).toEqual([[], 'MM/DD/YYYY'])
  })

  it('asks what precedes the decimals if every number looks like 1.234', async () => {
    const inspection = await inspect(utf8('territory;from;rate\nDE;2020-01-01;1.234\n'))
    expect(topicsOf(inspection)).toEqual(['decimal'])
    expect(inspection.questions[0]!.message).toContain('"1.234"')
    expect(inspection.map).not.toHaveProperty('decimal')
  })

  it('recognises semicolons if numbers contain commas, and a missing header', async () => {
    const inspection = await inspect(utf8('DE;2020-01-01;19,5\nAT;2020-01-01;20,5\n'))
    expect(inspection).toMatchObject({ delimiter: ';', header: null, headerCertain: true, rows: 2 })
    expect(inspection.columns.map(({ name }) => name)).toEqual(['Column 1', 'Column 2', 'Column 3'])
    expect(inspection.map).toMatchObject({ header: false })
    expect(inspection.questions.filter(({ about }) => about !== 'delimiter')).toEqual([
      expect.objectContaining({ about: 'key', choices: ['Column 1', 'Column 2', 'Column 3'] }),
      expect.objectContaining({ about: 'from' }),
      expect.objectContaining({ about: 'field', field: 'rate' }),
    ])
  })

  it('asks whether the end is inclusive if no row follows another', async () => {
    const inspection = await inspect(
      utf8('territory,from,to,rate\nDE,2020-01-01,2020-12-31,0.1\nAT,2020-01-01,,0.2\n'),
    )
    expect(topicsOf(inspection)).toEqual(['to'])
    const exclusive = await inspect(
      utf8('territory,from,to,rate\nDE,2020-01-01,2021-01-01,0.1\nDE,2021-01-01,,0.2\n'),
    )
    expect([topicsOf(exclusive), exclusive.map]).toEqual([
      [],
      expect.not.objectContaining({ toIs: 'inclusive' }),
    ])
  })

  it('in UTF-8 with a mark and in UTF-16 is read without a question', async () => {
    const text = '\ufeffterritory\tfrom\trate\nÖ\t2020-01-01\t0.1\n'
    for (const bytes of [utf8(text), new Uint8Array(Buffer.from(text, 'utf16le'))]) {
      const found = await inspect(bytes)
      expect([topicsOf(found), found.columns[0]!.name, found.delimiter]).toEqual([[], 'territory', '\t'])
    }
  })

  it('types a column by most of its cells, and counts the odd ones', async () => {
    const rows = ['2020-01-31,0.1', '2020-02-30,0.2', '2020-03-31,n/a', '2020-04-30,0.4']
    const found = await inspect(utf8(`from,rate\n${rows.join('\n')}\n`))
    expect(found.columns.map(({ type, odd }) => [type, odd])).toEqual([
      ['date', 1],
      ['number', 1],
    ])
  })

  it('reports rows of a different width by line', async () => {
    const inspection = await inspect(
      utf8('territory,from,rate\nDE,2020-01-01,0.1\nAT,2020-01-01\nFR,2020-01-01,0.2,x\n'),
    )
    expect(inspection.oddRows).toEqual({ total: 2, lines: [3, 4] })
  })

  it('as .xlsx returns dates and numbers as stored, and its sheets', async () => {
    const bytes = await writeXlsx({
      sheets: [
        { name: 'Notes', rows: [['About']] },
        {
          name: 'Rates',
          rows: [
            ['territory', 'from', 'to', 'rate', 'note'],
            ['DE', new Date(Date.UTC(2007, 0, 1)), null, 0.19, '=1+1'],
            ['AT', new Date(Date.UTC(2007, 0, 1)), null, 1e-7, null],
          ],
        },
      ],
    })
    const first = await inspect(bytes)
    expect([first.kind, first.sheets, first.sheet, first.delimiter]).toEqual([
      'xlsx',
      ['Notes', 'Rates'],
      'Notes',
      null,
    ])
    const inspection = await inspect(bytes, { sheet: 'Rates' })
    expect(inspection.sample.map(({ cells }) => cells)).toEqual([
      ['DE', '2007-01-01', '', '0.19', '=1+1'],
      ['AT', '2007-01-01', '', '0.0000001', ''],
    ])
    expect(inspection.map).toMatchObject({ sheet: 'Rates', key: 'territory', from: 'from', decimal: 'point' })
    await expect(inspect(bytes, { sheet: 'Rate' })).rejects.toThrow(
      /does not contain a sheet "Rate". Did you mean "Rates"\?/,
    )
  })

  it.each<[string, Uint8Array, RegExp]>([
    ['a PDF', utf8('%PDF-1.7 …'), /rates.csv is not a table: it is a PDF document. Export the table as CSV/],
    ['a picture', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a), /a PNG picture/],
    ['a zip', Uint8Array.of(0x50, 0x4b, 0x03, 0x04, 1, 2), /a zip archive; unpack it first/],
    ['a web page', utf8('\n<!DOCTYPE html><table>'), /a web page/],
    ['JSON', utf8('[{"territory": "DE"}]'), /it is JSON/],
    ['bytes', Uint8Array.from({ length: 400 }, (_, at) => (at * 7) % 31), /binary data/],
    ['nothing', new Uint8Array(), /rates.csv is empty/],
    ['a torn spreadsheet', utf8('PK\u0003\u0004 xl/workbook.xml'), /cannot be read as a spreadsheet/],
  ])('that is %s is reported as such', async (_, bytes, message) => {
    await expect(inspect(bytes)).rejects.toThrow(message)
  })
})
