// The results of a bulk job: a line for each row, with its line in what was sent, its record, and why it failed.
import { csvLine, guardText } from '#kernel/export/index.ts'
import type { IngestFormat, IngestJob } from '../ports/ingest.ts'
import type { RecordReader } from '../ports/record-store.ts'
import { processedRows, type ProcessedRow } from './source-rows.ts'

export const rowOutcomes = ['created', 'changed', 'unchanged', 'deleted', 'failed'] as const
export type RowOutcome = (typeof rowOutcomes)[number]

export interface ResultQuery {
  /** Only rows that ended this way; `succeeded` for all that have not failed. */
  outcome?: RowOutcome | 'succeeded' | undefined
  format: IngestFormat
}

const ownColumns = ['line', 'id', 'outcome', 'code', 'error']

export async function* resultLines(
  read: <T>(work: (reader: RecordReader) => Promise<T>) => Promise<T>,
  job: IngestJob,
  { outcome, format }: ResultQuery,
): AsyncIterable<string> {
  const columns = job.columns ?? []
  if (format === 'csv') yield lineOf([...ownColumns, ...columns.map((name) => `row.${name}`)])
  for await (const processed of processedRows(read, job, outcome === 'failed')) {
    const [, , ended] = processed.outcome
    if (outcome !== undefined && ended !== outcome && (outcome !== 'succeeded' || ended === 'failed'))
      continue
    yield format === 'csv' ? csvResult(processed, columns) : jsonResult(processed, columns)
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

function csvResult(processed: ProcessedRow, columns: readonly string[]): string {
  const { line, id, outcome, error } = factsOf(processed)
  const { row } = processed
  const cells = 'cells' in row ? row.cells : 'members' in row ? columns.map((name) => row.members[name]) : []
  return lineOf([line, id, outcome, error?.code, error?.message, ...cells])
}

function jsonResult(processed: ProcessedRow, columns: readonly string[]): string {
  const { row } = processed
  const members =
    'members' in row
      ? row.members
      : 'cells' in row
        ? Object.fromEntries(columns.map((name, at) => [name, row.cells[at]]))
        : null
  const sent =
    members === null ? { text: Buffer.from(processed.text).toString().trimEnd() } : { row: members }
  return `${JSON.stringify({ ...factsOf(processed), ...sent })}\n`
}

/** Text that a spreadsheet would compute stays text. */
const lineOf = (cells: readonly unknown[]): string =>
  csvLine(cells.map(textOf).map((text) => (number.test(text) ? text : guardText(text))))

const number = /^[+-]?\d+(?:\.\d+)?$/

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
}
