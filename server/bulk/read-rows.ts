// The rows of a job in its format: the one place that knows which reader a format has.
import type { IngestColumn, IngestFormat } from '../ports/ingest.ts'
import type { IngestRow } from '../records/index.ts'
import { csvRows } from './csv-rows.ts'
import { jsonRows } from './json-rows.ts'

type RowReader = (
  bytes: AsyncIterable<Uint8Array>,
  columns: readonly IngestColumn[],
  lines?: number,
) => AsyncIterable<IngestRow>

const readers = { csv: csvRows, jsonl: jsonRows } satisfies Record<IngestFormat, RowReader>

/**
 * @param lines before the first byte; without any, a byte order mark is left out
 * @throws AlmanacError `ingest.row` where it cannot be known where the next row begins
 */
export const readRows = (format: IngestFormat, ...reading: Parameters<RowReader>): AsyncIterable<IngestRow> =>
  readers[format](...reading)
