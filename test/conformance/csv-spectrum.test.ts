// The files of csv-spectrum, which is written by others: each is read as a bulk job reads it, and compared with its JSON.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readBatches } from '../../server/bulk/index.ts'
import type { IngestRow } from '../../server/records/index.ts'

const folder = dirname(fileURLToPath(import.meta.resolve('csv-spectrum')))
/** Not CSV as RFC 4180 has it: a quote is in a cell without quotes. Its JSON is of a different row. */
const broken = 'location_coordinates'
const names = readdirSync(join(folder, 'csvs'))
  .map((name) => name.replace(/\.csv$/, ''))
  .filter((name) => name !== broken)

async function* pieces(bytes: Buffer, size: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function cellsOf(
  bytes: Buffer,
  columns: readonly string[],
  size: number,
): Promise<(string | null)[][]> {
  const rows: (string | null)[][] = []
  const place = { offset: 0, rows: 0, lines: 0 }
  for await (const batch of readBatches({ format: 'csv', columns, place, bytes: pieces(bytes, size) }))
    for (const row of JSON.parse(Buffer.from(batch.rows).toString()) as IngestRow[])
      rows.push('cells' in row ? (row.cells as string[]) : ['fault' in row ? row.fault : 'no cells'])
  return rows
}

describe('csv-spectrum', () => {
  it('has the files', () => expect(names.length).toBeGreaterThanOrEqual(11))

  it.each(names)('%s', async (name) => {
    const bytes = readFileSync(join(folder, 'csvs', `${name}.csv`))
    const records = JSON.parse(readFileSync(join(folder, 'json', `${name}.json`), 'utf8')) as Record<
      string,
      string
    >[]
    const header = Object.keys(records[0]!)
    // An empty cell is absent, which their JSON has no word for.
    const expected = [header, ...records.map((record) => header.map((key) => record[key]!))]
    for (const size of [1, 2, 5, 1000]) {
      const found = await cellsOf(bytes, header, size)
      expect(found.map((row) => row.map((cell) => cell ?? ''))).toEqual(expected)
    }
  })

  it(`${broken} has a header, and a row that is refused`, async () => {
    const bytes = readFileSync(join(folder, 'csvs', `${broken}.csv`))
    const columns = ['Contact Phone Number', 'Location Coordinates', 'Cities', 'Counties']
    const [header, row, ...more] = await cellsOf(bytes, columns, 7)
    expect(header).toEqual(columns)
    expect(row).toEqual([expect.stringContaining('quote')])
    expect(more).toEqual([])
  })
})
