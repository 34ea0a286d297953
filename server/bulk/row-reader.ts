// Reads the parts of a job from a place on, in batches of rows, each with the bytes that it was read from.
import { Buffer } from 'node:buffer'
import type { IngestColumn, IngestFormat, IngestPlace } from '../ports/ingest.ts'
import type { IngestRow, IngestRows } from '../records/index.ts'
import { readRows } from './read-rows.ts'
import { SourceBytes } from './source-bytes.ts'

/** Rows of a transaction, at most. */
export const rowsPerBatch = 200
/** A batch with so many bytes takes no more rows: it is in memory several times. */
const enoughBytes = 1024 * 1024

export interface RowReading {
  format: IngestFormat
  columns: readonly IngestColumn[]
  place: IngestPlace
  bytes: AsyncIterable<Uint8Array>
}

/**
 * Yields batches; the last one can be empty.
 * @throws AlmanacError `ingest.row` for what hides where the next row begins, such as a quote that is never closed
 */
export async function* readBatches({ format, columns, place, bytes }: RowReading): AsyncIterable<IngestRows> {
  const source = new SourceBytes()
  const rows = readRows(format, source.keep(bytes), columns, place.lines)
  let batch: IngestRow[] = []
  let before: IngestPlace = place
  /** Where the batch begins, from the place where the reading began. */
  let [offset, lines] = [0, place.lines]
  const take = (isLast: boolean): IngestRows => {
    const [end, endLine] = batch.length === 0 ? [offset, lines] : [batch.at(-1)!.end, batch.at(-1)!.endLine]
    for (const row of batch) {
      row.end -= offset
      row.endLine -= lines
    }
    const taken: IngestRows = {
      place: before,
      rows: Buffer.from(JSON.stringify(batch)),
      count: batch.length,
      source: source.take(end - offset),
      isLast,
    }
    before = {
      offset: before.offset + end - offset,
      rows: before.rows + batch.length,
      lines: before.lines + endLine - lines,
    }
    ;[offset, lines, batch] = [end, endLine, []]
    return taken
  }
  let held: IngestRow | null = null
  try {
    for await (const row of rows) {
      // The last batch is known as such only when no row follows.
      if (held !== null) {
        batch.push(held)
        if (batch.length === rowsPerBatch || held.end - offset >= enoughBytes) yield take(false)
      }
      held = row
    }
  } catch (error) {
    // The rows before the one that cannot be read are processed first.
    if (held !== null) batch.push(held)
    if (batch.length > 0) yield take(false)
    throw error
  }
  if (held !== null) batch.push(held)
  yield take(true)
}
