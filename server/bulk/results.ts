// The results of a bulk job: a line for each row, with its line in what was sent, its record, and why it failed.
import { csvLine, guardText } from '#kernel/export/index.ts'
import type { IngestColumn, IngestFormat, IngestJob } from '../ports/ingest.ts'
import type { RecordReader } from '../ports/record-store.ts'
import type { IngestRow } from '../records/index.ts'
import { processedRows, type ProcessedRow } from './source-rows.ts'

export const rowOutcomes = ['created', 'changed', 'unchanged', 'deleted', 'failed'] as const
export type RowOutcome = (typeof rowOutcomes)[number]

export interface ResultQuery {
  /** Only rows that ended this way; `succeeded` for all that have not failed. */
  outcome?: RowOutcome | 'succeeded' | undefined
  format: IngestFormat
  /** Only rows after this number, from 1 without the header. */
  after?: number | undefined
  /** At most so many. */
  limit?: number | undefined
}

const ownColumns = ['line', 'id', 'outcome', 'code', 'error']

export async function* resultLines(
  read: <T>(work: (reader: RecordReader) => Promise<T>) => Promise<T>,
  job: IngestJob,
  { outcome, format, after, limit = Infinity }: ResultQuery,
): AsyncIterable<string> {
  const columns = job.columns ?? []
  let left = limit
  if (format === 'csv')
    yield lineOf([...ownColumns, ...columns.flatMap((name) => (name === null ? [] : [`row.${name}`]))])
  for await (const processed of processedRows(read, job, { isFailed: outcome === 'failed', from: after })) {
    const [, , ended] = processed.outcome
    if (outcome !== undefined && ended !== outcome && (outcome !== 'succeeded' || ended === 'failed'))
      continue
    yield format === 'csv' ? csvResult(processed, columns) : jsonResult(processed, columns)
    if ((left -= 1) === 0) return
  }
}

interface Facts {
  line: number
  id: string | null
  outcome: RowOutcome
  error: { code: string; message: string } | null
}

function factsOf({ outcome: [line, , ...end] }: ProcessedRow): Facts {
  if (end[0] === 'failed')
    return { line, id: null, outcome: 'failed', error: { code: end[1], message: end[2] } }
  return { line, id: end[1], outcome: end[0], error: null }
}

function csvResult(processed: ProcessedRow, columns: readonly IngestColumn[]): string {
  const { line, id, outcome, error } = factsOf(processed)
  const cells = membersOf(processed.row, columns)?.values() ?? []
  return lineOf([line, id, outcome, error?.code, error?.message, ...cells])
}

function jsonResult(processed: ProcessedRow, columns: readonly IngestColumn[]): string {
  const { number } = processed
  const { row } = processed
  const cells = 'members' in row ? null : membersOf(row, columns)
  const members = 'members' in row ? row.members : cells === null ? null : Object.fromEntries(cells)
  const sent =
    members === null ? { text: Buffer.from(processed.text).toString().trimEnd() } : { row: members }
  return `${JSON.stringify({ number, ...factsOf(processed), ...sent })}\n`
}

/** What was sent in each column that is loaded, in their order; null for a row that cannot be read. */
function membersOf(row: IngestRow, columns: readonly IngestColumn[]): Map<string, unknown> | null {
  if ('fault' in row) return null
  return new Map(
    columns.flatMap((name, at) =>
      name === null ? [] : [[name, 'cells' in row ? row.cells[at] : row.members[name]] as const],
    ),
  )
}

/** Text that a spreadsheet would compute stays text. */
const lineOf = (cells: readonly unknown[]): string =>
  csvLine(cells.map(textOf).map((text) => (number.test(text) ? text : guardText(text))))

const number = /^[+-]?\d+(?:\.\d+)?$/

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
}
