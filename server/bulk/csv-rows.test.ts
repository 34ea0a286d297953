import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { csvRows, readHeader } from './csv-rows.ts'
import type { IngestRow } from '../records/index.ts'

async function* pieces(text: string | Buffer, size: number): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(text as string)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(text: string | Buffer, columns: string[], size = 5): Promise<IngestRow[]> {
  const rows: IngestRow[] = []
  for await (const row of csvRows(pieces(text, size), columns)) rows.push(row)
  return rows
}
const cellsOf = (rows: readonly IngestRow[]): unknown[] =>
  rows.map((row) => ('cells' in row ? row.cells : 'fault'))

describe('the rows of CSV', () => {
  it('have their cells, their line and the place after them', async () => {
    const text = '\ufeff1,"x\ny"\r\n\r\n2,z\n'
    expect(await read(text, ['a', 'b'])).toEqual([
      { line: 1, end: 12, endLine: 2, cells: ['1', 'x\ny'] },
      { line: 4, end: 18, endLine: 4, cells: ['2', 'z'] },
    ])
  })

  it.each([1, 2, 3, 100])(
    'have their lines after a byte order mark and empty lines, in pieces of %d',
    async (size) => {
      const rows = await read('\ufeff\n\r\n1,"a"b\n2,""\n', ['a', 'b'], size)
      expect(cellsOf(rows)).toEqual(['fault', ['2', '']])
      expect(rows.map(({ line, end }) => [line, end])).toEqual([
        [3, 13],
        [4, 18],
      ])
    },
  )

  it('an empty cell is null, and a quoted one is an empty text', async () => {
    expect(cellsOf(await read(',"",x\n"""a""","",\n', ['a', 'b', 'c']))).toEqual([
      [null, '', 'x'],
      ['"a"', '', null],
    ])
  })

  it.each<[string, string]>([
    ['a quote in a cell', '1,5" pipe\n'],
    ['a text after a quoted cell', '1,"a"b\n'],
    ['a quote in the last line', '1,5"\n'],
    ['too few cells', '1\n'],
    ['too many cells', '1,2,3\n'],
  ])('%s fails alone', async (_name, broken) => {
    const rows = await read(`0,a\n${broken}2,b\n3,c`, ['a', 'b'])
    expect(cellsOf(rows)).toEqual([['0', 'a'], 'fault', ['2', 'b'], ['3', 'c']])
    expect(rows.map(({ line }) => line)).toEqual([1, 2, 3, 4])
  })

  it('bytes that are not UTF-8 fail alone', async () => {
    const text = Buffer.concat([
      Buffer.from('1,a\n2,'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('\n3,\ufffd\n'),
    ])
    expect(cellsOf(await read(text, ['a', 'b']))).toEqual([['1', 'a'], 'fault', ['3', '\ufffd']])
  })

  it.each<[string, string, RegExp]>([
    ['a quote that is never closed', '1,a\n2,"b\n3,c\n', /line 2 has a quote that is never closed/],
    [
      'a wrong quote in a later line of a row',
      '1,a\n2,"b\nc"d\n',
      /begins in line 2 has a wrong quote in line 3/,
    ],
  ])('%s ends the reading', async (_name, text, message) => {
    await expect(read(text, ['a', 'b'])).rejects.toThrow(message)
  })

  it('can be read from the end of any row on, in pieces of any size', async () => {
    const cell = fc.oneof(
      fc.constantFrom('', '"', ',', '\n', '\r\n', '\u00e9', '\u{1f600}'),
      fc.string({ maxLength: 4 }),
    )
    const table = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom('\n', '\r\n'),
        async (rows, size, end) => {
          const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`
          const text = rows.map((row) => row.map(quoted).join(',') + end).join('')
          const found = await read(text, ['a', 'b'], size)
          expect(cellsOf(found)).toEqual(rows)
          const [first] = found
          const rest = await read(Buffer.from(text).subarray(first!.end), ['a', 'b'], size)
          expect(cellsOf(rest)).toEqual(rows.slice(1))
        },
      ),
    )
  })

  it('a header is the first row', async () => {
    const text = '\n a ,"b"\n1,2\n'
    expect(await readHeader(pieces(text, 3))).toEqual({ columns: ['a', 'b'], end: 9, endLine: 2 })
    expect(await readHeader(pieces('', 3))).toBeNull()
  })
})
