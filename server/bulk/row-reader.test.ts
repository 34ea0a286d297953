import { describe, expect, it } from 'vitest'
import type { IngestFormat } from '../ports/ingest.ts'
import type { IngestRow } from '../records/index.ts'
import { readBatches } from './row-reader.ts'

async function sizesOf(format: IngestFormat, lines: readonly string[]): Promise<number[]> {
  const bytes = (async function* () {
    for (const line of lines) yield Buffer.from(line)
  })()
  const place = { offset: 0, rows: 0, lines: 0 }
  const sizes: number[] = []
  let [offset, rows] = [0, 0]
  for await (const batch of readBatches({ format, columns: ['a'], place, bytes })) {
    // Each begins where the one before has ended, with the bytes of its own rows.
    expect(batch.place).toMatchObject({ offset, rows })
    expect(Buffer.from(batch.source).toString()).toBe(lines.slice(rows, rows + batch.count).join(''))
    offset += batch.source.byteLength
    rows += batch.count
    sizes.push(batch.count)
  }
  return sizes
}

describe.each(['csv', 'jsonl'] as const)('batches of %s', (format) => {
  const line = (length: number): string =>
    format === 'csv' ? `${'x'.repeat(length)}\n` : `${JSON.stringify({ a: 'x'.repeat(length) })}\n`

  it('have 200 rows', async () => {
    expect(
      await sizesOf(
        format,
        Array.from({ length: 450 }, () => line(5)),
      ),
    ).toEqual([200, 200, 50])
  })

  it('have fewer rows if these are long, because all of them are in memory', async () => {
    const lines = [...Array.from({ length: 30 }, () => line(300_000)), line(3_000_000), line(5), line(5)]
    expect(await sizesOf(format, lines)).toEqual([4, 4, 4, 4, 4, 4, 4, 3, 2])
  })
})

async function faultsOf(format: IngestFormat, text: string): Promise<(string | null)[]> {
  const bytes = (async function* () {
    const all = Buffer.from(text)
    for (let at = 0; at < all.length; at += 65_536) yield all.subarray(at, at + 65_536)
  })()
  const found: (string | null)[] = []
  for await (const { rows } of readBatches({
    format,
    columns: ['a'],
    place: { offset: 0, rows: 0, lines: 0 },
    bytes,
  }))
    for (const row of JSON.parse(Buffer.from(rows).toString()) as IngestRow[])
      found.push('fault' in row ? row.fault : null)
  return found
}

describe('a row that is larger than a record can be', () => {
  it.each<[IngestFormat, string, string]>([
    ['csv', 'x'.repeat(1_100_000), 'is longer than 1 MiB'],
    ['csv', `"${'x'.repeat(1_100_000)}"`, 'is longer than 1 MiB'],
    ['jsonl', `{"a":"${'x'.repeat(1_100_000)}"}`, 'is longer than 1 MiB'],
    // Its values would take a hundred times the memory of the text.
    ['jsonl', `{"a":[${'{},'.repeat(300_000)}1]}`, 'has more than 10,000 values'],
    ['jsonl', `{"a":${'['.repeat(500)}${']'.repeat(500)}}`, 'is nested more than 200 levels deep'],
  ])('of %s fails alone: %.12s', async (format, large, fault) => {
    const small = format === 'csv' ? 'x' : '{"a":"x"}'
    const faults = await faultsOf(format, `${small}\n${large}\n${small}\n`)
    expect(faults).toEqual([null, expect.stringContaining(fault), null])
  })
})

describe('a row that is too large to be read', () => {
  const mebibytes = (unit: string): string => unit.repeat((5 * 1024 * 1024) / unit.length)

  it.each<[IngestFormat, string, string]>([
    ['csv', mebibytes('x'), 'line 2 is longer than 4 MiB'],
    ['csv', mebibytes(','), 'line 2 is longer than 4 MiB'],
    ['csv', `x,"${mebibytes('""')}"`, 'line 2 is longer than 4 MiB'],
    ['csv', `\r\n\r\n${mebibytes(',')}`, 'line 4 is longer than 4 MiB'],
    ['csv', mebibytes('\n'), 'From line 2 on, more than 4 MiB are empty lines'],
    ['csv', mebibytes('\r\n'), 'From line 2 on, more than 4 MiB are empty lines'],
    ['jsonl', `{"a":"${mebibytes('x')}"}`, 'line 2 is longer than 4 MiB'],
    ['jsonl', mebibytes(`${' '.repeat(62)}\r\n`), 'From line 2 on, more than 4 MiB are empty lines'],
  ])('of %s ends the job after the rows before it: %#', async (format, large, message) => {
    const small = format === 'csv' ? 'x' : '{"a":"x"}'
    const read = faultsOf(format, `${small}\n${large}\n${small}\n`)
    await expect(read).rejects.toMatchObject({
      code: 'ingest.row',
      message: expect.stringContaining(message),
    })
  })
})
