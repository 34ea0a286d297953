import { describe, expect, it } from 'vitest'
import { rowsAt, workbookOf } from '../../test/support/workbook-file.ts'
import { readTable } from './read-table.ts'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const read = (bytes: Uint8Array, name = 'rates.csv') => readTable(bytes, name, {})
const padding = (mebibytes: number) => Buffer.alloc(mebibytes * 1024 * 1024, 32)

describe('a table that is too large', () => {
  it.each<[string, () => Uint8Array, RegExp]>([
    [
      'a CSV of 100,000 columns',
      () => utf8(`${'a,'.repeat(99_999)}a\n1\n`),
      /100,000 columns on line 1; at most 1,000/,
    ],
    ['a row of 100,000 columns', () => utf8(`a,b\n${'1,'.repeat(99_999)}1\n`), /100,000 columns on line 2/],
    [
      'a CSV of one cell',
      () => utf8(`a,b\r\n1,2\r\n${'x'.repeat(40_000)},1\r\n`),
      /40,000 characters on line 3; at most 32,767/,
    ],
    [
      'a CSV of one cell of 90 MB',
      () => utf8('x'.repeat(90_000_000)),
      /90,000,000 characters on line 1; at most 32,767/,
    ],
    [
      'a CSV of one cell of quotes',
      () => utf8(`a,b\n"${'""'.repeat(40_000)}",1\n`),
      /40,000 characters on line 2/,
    ],
    [
      'a CSV of one cell of many lines',
      () => utf8(`a,b\n"${'x,\n'.repeat(20_000)}",1\n`),
      /60,000 characters on line 2/,
    ],
    [
      'one cell of 40,000 characters',
      () => workbookOf(`<row><c t="str"><v>${'x'.repeat(40_000)}</v></c></row>`),
      /40,000 characters on line 1; at most 32,767/,
    ],
    [
      'a CSV of empty cells',
      () => utf8(`a,b\n${',,,,,,,,,\n'.repeat(600_000)}`),
      /more than 5,000,000 cells/,
    ],
    ['a CSV of empty lines', () => utf8(`a,b\n${'\n'.repeat(6_000_000)}`), /more than 5,000,000 cells/],
    [
      '40,000 cells in the last column',
      () => workbookOf(rowsAt('XFD', 40_000)),
      /16,384 columns on line 1; at most 1,000/,
    ],
    [
      'cells that do not name their place',
      () => workbookOf(`<row>${'<c><v>1</v></c>'.repeat(2_000)}</row>`),
      /1,001 columns on line 1/,
    ],
    [
      'cells in a sheet with a prefix',
      () => workbookOf(rowsAt('ZZZ', 10).replaceAll('<c', '<x:c').replaceAll('</c', '</x:c')),
      /18,278 columns/,
    ],
    [
      'a part that unpacks to far more than its size',
      () => workbookOf(rowsAt('A', 2), [{ name: 'xl/media/a.xml', content: padding(8) }]),
      /a part \(xl\/media\/a\.xml\) that unpacks to far more/,
    ],
    [
      'a part without a size',
      () => workbookOf(rowsAt('A', 2), [{ name: 'xl/media/a.xml', content: padding(8), declaredSize: 0 }]),
      /unpacks to far more/,
    ],
    [
      'a part that declares a size larger than memory',
      () =>
        workbookOf(rowsAt('A', 2), [
          { name: 'xl/media/a.xml', content: padding(1), declaredSize: 4_000_000_000 },
        ]),
      /unpacks to 38\d\d MiB/,
    ],
    [
      'very many parts',
      () =>
        workbookOf(
          rowsAt('A', 2),
          Array.from({ length: 6_000 }, (_, i) => ({ name: `xl/${i}.xml`, content: Buffer.alloc(1) })),
        ),
      /has 6,005 parts/,
    ],
  ])('%s is refused with its limit', async (name, bytes, words) => {
    const started = performance.now()
    const kind = name.includes('CSV') || name.includes('row') ? 'rates.csv' : 'rates.xlsx'
    await expect(read(bytes(), kind)).rejects.toMatchObject({
      code: 'import.invalid',
      message: expect.stringMatching(words) as string,
    })
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  it('accepts a cell of 32,767 characters, in quotes or not', async () => {
    const longest = 'x'.repeat(32_767)
    const { rows } = await read(utf8(`a,b\n${longest},1\n"${longest}",2\n"${'""'.repeat(32_767)}",3\n`))
    expect(rows.map(({ cells }) => cells[0]!.length)).toEqual([32_767, 32_767, 32_767])
  })

  it('accepts 1,000 columns, and a cell in column 1,000', async () => {
    expect(
      (await read(utf8(`${Array.from({ length: 1000 }, (_, i) => `c${i}`).join()}\n1\n`))).columns,
    ).toHaveLength(1000)
    const { rows } = await readTable(workbookOf(rowsAt('ALL', 3)), 'rates.xlsx', { header: false })
    expect(rows.map(({ cells }) => cells.length)).toEqual([1000, 1000, 1000])
  })
})
