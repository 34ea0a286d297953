// Audit rows as a file: CSV for a spreadsheet, JSON lines for a program (docs/reference/pipeline-and-approvals.md).
import { csvLine, guardText } from '#kernel/export/index.ts'
import type { AuditRow } from '#wire/index.ts'

export const auditFormats = ['csv', 'jsonl'] as const

export type AuditFormat = (typeof auditFormats)[number]

export const auditMedia = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson',
} as const satisfies Record<AuditFormat, string>

const columns = [
  'at',
  'actor',
  'operator',
  'kind',
  'component',
  'generation',
  'rationale',
  'correlationId',
  'before',
  'after',
] as const satisfies readonly (keyof AuditRow)[]

/** The text of the file, a row at a time. */
export async function* auditText(rows: AsyncIterable<AuditRow>, format: AuditFormat): AsyncIterable<string> {
  if (format === 'csv') yield csvLine(columns)
  for await (const row of rows) yield format === 'csv' ? csvRow(row) : `${JSON.stringify(row)}\n`
}

function csvRow(row: AuditRow): string {
  return csvLine(
    columns.map((name) => {
      const value = row[name]
      if (value === null || value === undefined) return ''
      return typeof value === 'string' ? guardText(value) : JSON.stringify(value)
    }),
  )
}
