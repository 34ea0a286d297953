import { describe, expect, it } from 'vitest'
import { readFileHead } from './file-head.ts'

const fileOf = (content: string | Uint8Array, name = 'a.csv'): File =>
  new File([content as Uint8Array<ArrayBuffer>], name)

describe('the beginning of a file', () => {
  it('has its columns and first rows with their lines', async () => {
    const text = '\ufeff Code ,Name\r\n\r\nC-1,"Two\r\nlines"\r\nC-2,Bo'
    expect(await readFileHead(fileOf(text))).toEqual({
      format: 'csv',
      columns: ['Code', 'Name'],
      rows: [
        { line: 3, cells: ['C-1', 'Two\r\nlines'] },
        { line: 5, cells: ['C-2', 'Bo'] },
      ],
    })
  })

  it('is read alone: a character that it cuts, and a row that ends later, are not faults', async () => {
    const row = `C-1,${'ä'.repeat(1000)}\n`
    const long = `Code,Name\n${row.repeat(400)}`
    for (const shift of ['', 'x']) {
      const head = await readFileHead(fileOf(long.replace('Name', `Name${shift}`)))
      expect(head).toMatchObject({ columns: ['Code', `Name${shift}`] })
    }
  })

  it('of JSON Lines has the members of the first rows', async () => {
    const text = '{"code":"C-1"}\n\n{"code":"C-2","more":{"a":1},"n":null}\n{broken'
    expect(await readFileHead(fileOf(text, 'a.txt'))).toEqual({
      format: 'jsonl',
      columns: ['code', 'more', 'n'],
      rows: [
        { line: 1, cells: ['C-1', '', ''] },
        { line: 3, cells: ['C-2', '{"a":1}', ''] },
      ],
    })
  })

  it.each<[string, string | Uint8Array, RegExp]>([
    ['no byte', '', /is empty/],
    ['no row below the header', 'Code,Name\n', /no row below it/],
    ['no row', '\n\n', /has no row/],
    ['semicolons', 'Code;Name\nC-1;Ada\n', /separated by semicolons/],
    ['semicolons, and commas in cells', 'Code;Name, first;Name\nC-1;"a";b\n', /separated by semicolons/],
    ['tabs', 'Code\tName\nC-1\tAda\n', /separated by tabs/],
    ['bars', 'Code|Name\nC-1|Ada\n', /separated by bars/],
    ['bytes of another encoding', Uint8Array.of(0x61, 0xe4, 0x0a), /is not in UTF-8/],
    ['UTF-16', Uint8Array.of(0xff, 0xfe, 0x61, 0), /is in UTF-16/],
    ['a workbook', Uint8Array.of(0x50, 0x4b, 3, 4), /is not a text file/],
    ['a compressed file', Uint8Array.of(0x1f, 0x8b, 8), /is compressed/],
    ['a quote that is never closed', 'Code,"Name\nC-1,Ada\n', /never closed/],
    ['a header that is broken', 'Co"de,Name\nC-1,Ada\n', /Line 1 cannot be read/],
  ])('with %s is refused in words', async (_name, content, message) => {
    expect(await readFileHead(fileOf(content))).toEqual({ fault: expect.stringMatching(message) as string })
  })

  it('of JSON that is not in lines is refused', async () => {
    expect(await readFileHead(fileOf('[{"a":1}]', 'a.jsonl'))).toEqual({
      fault: 'a.jsonl: line 1 is not a JSON object. JSON Lines have one object in each line.',
    })
  })

  it('larger than a job takes is refused unread', async () => {
    const file = fileOf('a')
    Object.defineProperty(file, 'size', { value: 6 * 1024 ** 3 })
    expect(await readFileHead(file)).toMatchObject({ fault: expect.stringContaining('5 GiB') as string })
  })
})
