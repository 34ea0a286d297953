// Rows as they were sent, as a file that can be sent again: those that failed, or those that were not processed.
import { csvLine } from '#kernel/export/index.ts'
import type { IngestJob, IngestPart, PartStore } from '../ports/ingest.ts'
import type { RecordReader } from '../ports/record-store.ts'
import { partBytes } from './part-bytes.ts'
import { isErasedText } from './erased-text.ts'
import { processedRows } from './source-rows.ts'

interface SentRows {
  read<T>(work: (reader: RecordReader) => Promise<T>): Promise<T>
  store: PartStore
  parts: readonly IngestPart[]
}

export async function* sentAgain(
  { read, store, parts }: SentRows,
  job: IngestJob,
  of: 'failed' | 'unprocessed',
): AsyncIterable<Uint8Array> {
  if (job.hasHeader && job.columns !== null) yield Buffer.from(csvLine(job.columns.map((name) => name ?? '')))
  if (of === 'unprocessed') {
    if (job.columns !== null) yield* withoutErased(partBytes(store, parts, job.place.offset), job)
    return
  }
  for await (const { outcome, text } of processedRows(read, job, { isFailed: true }))
    if (outcome[2] === 'failed' && !isErasedText(text)) yield withEnd(text)
}

/** The last row of a file can have no end of line. */
function withEnd(text: Uint8Array): Uint8Array {
  const last = text.at(-1)
  return last === 0x0a || last === 0x0d ? text : Buffer.concat([text, Buffer.from('\n')])
}

async function* withoutErased(
  bytes: AsyncIterable<Uint8Array>,
  { place, erased }: IngestJob,
): AsyncIterable<Uint8Array> {
  let start = place.offset
  const gaps = erased.toSorted((a, b) => a.from - b.from)
  for await (const chunk of bytes) {
    const end = start + chunk.length
    let at = start
    for (const { from, length } of gaps) {
      if (from + length <= at || from >= end) continue
      if (from > at) yield chunk.subarray(at - start, from - start)
      at = Math.min(end, from + length)
    }
    if (at < end) yield chunk.subarray(at - start)
    start = end
  }
}
