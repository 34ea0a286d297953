// The rows of a batch as they were sent, read again for its results.
import { zstdDecompressSync } from 'node:zlib'
import type { IngestBatch, IngestJob, IngestOutcome } from '../ports/ingest.ts'
import type { RecordReader } from '../ports/record-store.ts'
import type { IngestRow } from '../records/index.ts'
import { readRows } from './read-rows.ts'
import { rowsPerBatch } from './row-reader.ts'

export interface ProcessedRow {
  /** From 1, without the header. */
  number: number
  outcome: IngestOutcome
  row: IngestRow
  /** As it was sent, with the end of its line; without what was erased. */
  text: Uint8Array
}

const batchesPerRead = 10

export interface ProcessedQuery {
  /** Only batches with a failed row. */
  isFailed: boolean
  /** Only rows after this number. */
  from?: number | undefined
}

/** The processed rows of a job, in their order. */
export async function* processedRows(
  read: <T>(work: (reader: RecordReader) => Promise<T>) => Promise<T>,
  job: IngestJob,
  { isFailed, from = 0 }: ProcessedQuery,
): AsyncIterable<ProcessedRow> {
  // The batch that the row is in begins at most so many rows before it.
  for (let after = Math.max(0, from - rowsPerBatch); ;) {
    const page = { after, limit: batchesPerRead, isFailed }
    const batches = await read((reader) => reader.ingestBatches(job.id, page))
    for (const batch of batches) for await (const row of rowsOf(job, batch)) if (row.number > from) yield row
    if (batches.length < batchesPerRead) return
    after = batches.at(-1)!.first
  }
}

async function* rowsOf(
  job: IngestJob,
  { first, outcomes, source }: IngestBatch,
): AsyncIterable<ProcessedRow> {
  const bytes = zstdDecompressSync(source)
  let [index, from] = [0, 0]
  // Only whether a line is before it matters here: its own are in the outcomes.
  const lines = first === 1 && !job.hasHeader ? 0 : 1
  for await (const row of readRows(job.format, once(bytes), job.columns!, lines)) {
    const outcome = outcomes[index]
    if (outcome === undefined) return
    yield { number: first + index, outcome, row, text: bytes.subarray(from, row.end) }
    from = row.end
    index += 1
  }
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
