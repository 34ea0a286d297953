// Writes a set as a file: CSV, XLSX or JSON, row by row, so that a hundred thousand rows are never in memory at once.
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { setTable } from '#kernel/export/index.ts'
import { csvOf } from './csv.ts'
import { jsonOf } from './json.ts'
import { xlsxOf } from './xlsx.ts'

export { encodeChunks } from './chunks.ts'

export const exportFormats = ['csv', 'xlsx', 'json'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const exportMediaTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  json: 'application/json; charset=utf-8',
}

export interface ExportedSet {
  owner: ComponentOf<'config_set'> | ComponentOf<'feature_flag'>
  /** Iterated once, in this order. */
  entries: Iterable<ComponentOf<'config_entry'>>
}

/** The file in pieces; each is created on demand. */
export function exportSet({ owner, entries }: ExportedSet, format: ExportFormat): AsyncIterable<Uint8Array> {
  const table = setTable(owner)
  switch (format) {
    case 'csv':
      return csvOf(table, entries)
    case 'xlsx':
      return xlsxOf(table, entries, owner.key)
    case 'json':
      return jsonOf(table, entries)
    default:
      return format satisfies never
  }
}
