// The rows of a batch as they were sent, read again for its results.
import { zstdDecompressSync } from 'node:zlib'
import type { IngestBatch, IngestJob, IngestOutcome } from '../ports/ingest.ts'
import type { RecordReader } from '../ports/record-store.ts'
import { csvRows } from './csv-rows.ts'
import { jsonRows } from './json-rows.ts'
import type { IngestRow } from '../records/index.ts'

export interface ProcessedRow {
  outcome: IngestOutcome
  row: IngestRow
  /** As it was sent, with the end of its line. */
  text: Uint8Array
}

const batchesPerRead = 10

/** The processed rows of a job, in their order. */
export async function* processedRows(
  read: <T>(work: (reader: RecordReader) => Promise<T>) => Promise<T>,
  job: IngestJob,
  isFailed: boolean,
): AsyncIterable<ProcessedRow> {
  for (let after = 0; ;) {
    const page = { after, limit: batchesPerRead, isFailed }
    const batches = await read((reader) => reader.ingestBatches(job.id, page))
    for (const batch of batches) yield* rowsOf(job, batch)
    if (batches.length < batchesPerRead) return
    after = batches.at(-1)!.first
  }
}

async function* rowsOf(job: IngestJob, { outcomes, source }: IngestBatch): AsyncIterable<ProcessedRow> {
  const bytes = zstdDecompressSync(source)
  let [index, from] = [0, 0]
  const rows = job.format === 'csv' ? csvRows : jsonRows
  for await (const row of rows(once(bytes), job.columns!)) {
    const outcome = outcomes[index++]
    if (outcome === undefined) return
    yield { outcome, row, text: bytes.subarray(from, row.end) }
    from = row.end
  }
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
