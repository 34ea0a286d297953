import { describe, expect, it } from 'vitest'
import { readXlsx } from 'hucre/xlsx'
import { component } from '#kernel/components/rule-fixture.ts'
import { guardText, unguardText } from '#kernel/export/index.ts'
import { exportSet, type ExportFormat } from './index.ts'

const owner = component('config_set/fee', {
  cardinality: 'keyed',
  keyedBy: { key: 'code', type: 'text' },
  scopes: ['permission_set', 'org'],
  effectiveDated: true,
  asOfField: 'invoice.day',
  fields: [
    { key: 'rate', type: 'number', precision: 30, scale: 20 },
    { key: 'words', type: 'text' },
    { key: 'since', type: 'date' },
    { key: 'on', type: 'boolean' },
  ],
})
const row = (slug: string, values: object, more: object = {}) =>
  component(`config_entry/fee.${slug}`, {
    set: 'fee',
    key: '007',
    scope: { kind: 'org' },
    effectiveFrom: '1899-12-31',
    effectiveTo: '2027-01-01',
    values,
    ...more,
  })
const entries = [
  row('a', { rate: '0.19000000000000000000', words: '=HYPERLINK("x")', since: '1900-02-28', on: true }),
  row('b', { rate: '1234567890.12345678901234567890', words: 'a "b", c\nd', since: '2026-11-21' }),
  row(
    'c',
    { rate: '-0.00000000100000000000', words: '-3' },
    { scope: { kind: 'permission_set', permissionSet: 'tax' }, priority: 5 },
  ),
]

async function bytesOf(format: ExportFormat): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of exportSet({ owner, entries }, format)) pieces.push(piece)
  return Buffer.concat(pieces)
}

describe('a set as a file', () => {
  it('is exact in CSV, and none of its texts is a formula', async () => {
    expect((await bytesOf('csv')).toString('utf8').split('\r\n')).toEqual([
      'key,scope,priority,from,to,rate,words,since,on,label,entry',
      '007,org,,1899-12-31,2027-01-01,0.19000000000000000000,"\'=HYPERLINK(""x"")",1900-02-28,true,fee.a,fee.a',
      '007,org,,1899-12-31,2027-01-01,1234567890.12345678901234567890,"a ""b"", c\nd",2026-11-21,,fee.b,fee.b',
      "007,permission_set=tax,5,1899-12-31,2027-01-01,-0.00000000100000000000,'-3,,,fee.c,fee.c",
      '',
    ])
  })

  it('is typed in XLSX: dates and exact numbers as such, everything else as text', async () => {
    const book = await readXlsx(await bytesOf('xlsx'))
    expect(book.sheets.map(({ name }) => name)).toEqual(['fee'])
    const [head, a, b, c] = book.sheets[0]!.rows
    expect(head).toEqual([
      'key',
      'scope',
      'priority',
      'from',
      'to',
      'rate',
      'words',
      'since',
      'on',
      'label',
      'entry',
    ])
    expect(a!.slice(0, 9)).toEqual([
      '007',
      'org',
      null,
      '1899-12-31',
      new Date('2027-01-01T00:00:00Z'),
      0.19,
      '=HYPERLINK("x")',
      '1900-02-28',
      true,
    ])
    expect(b!.slice(5, 8)).toEqual([
      '1234567890.12345678901234567890',
      'a "b", c\nd',
      new Date('2026-11-21T00:00:00Z'),
    ])
    expect(c!.slice(1, 7)).toEqual([
      'permission_set=tax',
      5,
      '1899-12-31',
      new Date('2027-01-01T00:00:00Z'),
      -1e-9,
      '-3',
    ])
    expect(book.sheets[0]!.cells?.size ?? 0).toBe(0)
  })

  it('is an array of rows in JSON', async () => {
    const rows = JSON.parse((await bytesOf('json')).toString('utf8')) as Record<string, unknown>[]
    expect(rows).toHaveLength(3)
    expect(rows[1]).toMatchObject({
      key: '007',
      rate: '1234567890.12345678901234567890',
      on: null,
      entry: 'fee.b',
    })
    const empty: Uint8Array[] = []
    for await (const piece of exportSet({ owner, entries: [] }, 'json')) empty.push(piece)
    expect(Buffer.concat(empty).toString()).toBe('[]\n')
  })

  it('escapes any text and restores it on import', () => {
    for (const text of ['=1', '+1', '-1', '@x', '\tx', "'=1", "''@", "'plain", 'plain', '', "'"])
      expect(unguardText(guardText(text))).toBe(text)
    expect(['=1', "'=1", 'a=1', "'a"].map(guardText)).toEqual(["'=1", "''=1", 'a=1', "'a"])
  })
})
