// Replaces erased values in a row of a bulk job, as it was sent.
import { parse } from 'csv-parse/sync'
import { csvLine } from '#kernel/export/index.ts'
import type { IngestFormat } from '../../ports/ingest.ts'
import type { IngestRewrite } from '../../ports/record-erasures.ts'
import type { HashValue } from './blank-history.ts'
import { isFindable, redactBody, redactLiterals, redactText } from './redact-text.ts'

/** @param values the longest first */
export function ingestRewrite(values: readonly string[], hash: HashValue): IngestRewrite {
  const whole = new Set(values.filter(isFindable))
  const ofRecord = (cell: string): string => redactText(cell, values, hash)
  // A failed row can be of another record: the same words can be in it.
  const ofOther = (cell: string): string => (whole.has(cell) ? hash(cell) : cell)
  return {
    row: (text, format, isOfRecord) =>
      redactRow(text, { format, values: whole, redact: isOfRecord ? ofRecord : ofOther }),
    message: (text) => redactLiterals(text, values, hash),
  }
}

interface RowRedaction {
  format: IngestFormat
  values: ReadonlySet<string>
  redact(cell: string): string
}

function redactRow(text: string, { format, values, redact }: RowRedaction): string {
  const cells = format === 'csv' ? cellsOf(text) : null
  if (cells === null && !isJson(text, format)) return withoutValues(text, format, values)
  if (cells === null) return redactBody(text, redact)
  const redacted = cells.map(redact)
  return redacted.every((cell, at) => cell === cells[at]) ? text : csvLine(redacted)
}

/** Null for a row that cannot be read. */
function cellsOf(text: string): string[] | null {
  try {
    const [cells = []] = parse(text, { relax_column_count: true, skip_empty_lines: true, bom: true })
    return cells
  } catch {
    return null
  }
}

function isJson(text: string, format: IngestFormat): boolean {
  try {
    return format === 'jsonl' && typeof JSON.parse(text.replace(/^\ufeff/, '')) === 'object'
  } catch {
    return false
  }
}

/** A row that cannot be read. What is stored instead keeps its place: it cannot be read as a row of the job either. */
function withoutValues(text: string, format: IngestFormat, values: ReadonlySet<string>): string {
  const forms = [...values].flatMap((value) => [
    ...[value, value.replaceAll('"', '""')],
    JSON.stringify(value).slice(1, -1),
  ])
  if (!forms.some((form) => text.includes(form))) return text
  return format === 'csv' ? csvLine(['"(erased)"']) : '"(erased)"\n'
}
