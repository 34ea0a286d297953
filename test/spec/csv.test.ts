// Each text of the table, read by the reader in pieces of several sizes, and as a bulk job over HTTP.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readBatches } from '../../server/bulk/index.ts'
import type { IngestRow } from '../../server/records/index.ts'
import { apply, signIn } from '../support/billing-org.ts'
import { contactComponents, jobs, load } from '../support/ingest-requests.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'
import { csvCases, type CsvCase, type ReadRow } from './csv.table.ts'

const columns = ['code', 'note']

async function* pieces(bytes: Buffer, size: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** The rows before the one at which the reading ends, and why it does. */
async function readAll(
  text: CsvCase['text'],
  size: number,
): Promise<{ rows: ReadRow[]; ends: string | null }> {
  const rows: ReadRow[] = []
  const place = { offset: 0, rows: 0, lines: 0 }
  const bytes = pieces(Buffer.from(text as string), size)
  try {
    for await (const batch of readBatches({ format: 'csv', columns, place, bytes }))
      for (const row of JSON.parse(Buffer.from(batch.rows).toString()) as IngestRow[])
        rows.push('cells' in row ? [row.line, ...(row.cells as [string, string])] : [row.line])
    return { rows, ends: null }
  } catch (error) {
    return { rows, ends: (error as Error).message }
  }
}

const expectEnd = ({ ends }: CsvCase, message: string | null): void => {
  if (ends === undefined) expect(message).toBeNull()
  else expect(message).toMatch(ends)
}

describe('the reader of CSV', () => {
  it.each(csvCases.map((each) => [each.name, each] as const))('%s', async (_name, each) => {
    const isLong = each.text.length > 1_000_000
    for (const size of isLong ? [256 * 1024] : [1, 2, 3, 7, 1000]) {
      const { rows, ends } = await readAll(each.text, size)
      // A batch begins where the one before has ended, so its lines are counted from there.
      expect(rows).toEqual(each.rows)
      expectEnd(each, ends)
    }
  })
})

describe('a bulk job', () => {
  let test: TestServer
  let ada: Ask
  beforeAll(async () => {
    test = await runningServer()
    await apply(test.studio, contactComponents())
    ada = (await signIn(test, [{ key: 'ada', permissionSets: ['loader'] }]))['ada']!
  })
  afterAll(() => test.close())

  it.each(csvCases.map((each, at) => [each.name, each, at] as const))('%s', async (_name, each, at) => {
    // In cases of their own, codes are not unique: a contact can have the note of the last one.
    const request = {
      object: 'contact',
      operation: 'upsert',
      externalId: 'code',
      format: 'csv',
      columns,
    } as const
    const job = await load(ada, request, each.text, 5_000_000 + at)
    expect(job.state).toBe(each.ends === undefined ? 'completed' : 'failed')
    expectEnd(each, job.problem?.message ?? null)
    const { text } = await ada('GET', `${jobs}/${job.id}/results?format=jsonl`)
    const results = text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { line: number; outcome: string; row?: Record<string, string> })
    expect(
      results.map(({ line, row }) => (row === undefined ? [line] : [line, row['code'], row['note']])),
    ).toEqual(each.rows)
    const isRead = (row: ReadRow): boolean => row.length > 1 && !JSON.stringify(row).includes('\\u0000')
    expect(results.map(({ outcome }) => outcome !== 'failed')).toEqual(each.rows.map(isRead))
  })
})
