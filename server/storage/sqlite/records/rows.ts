// The rows of a table of records.
import type { FieldId } from '#kernel/records/index.ts'
import type { Encoding, SqlValue } from './encoding.ts'
import { rowDigest } from './row-digest.ts'

export interface MappedColumn {
  id: FieldId
  bound: boolean
  indexed: boolean
  searched: boolean
  /** Names of the columns with the value, the binding and the kept inputs. */
  value: string
  binding: string
  inputs: string
  encoding: Encoding
}

export interface MappedTable {
  number: number
  /** The columns of a record, for a query. */
  selected: string
  /** All columns, in the order in which they are written. */
  written: readonly string[]
  name: string
  columns: readonly MappedColumn[]
}

export type Row = Record<string, SqlValue>

export const recordColumns = [
  'id',
  'version',
  'created_at',
  'created_by',
  'changed_at',
  'changed_by',
] as const

export function columnNames({ columns }: Pick<MappedTable, 'columns'>): string[] {
  return columns.flatMap(({ value, bound, binding, inputs }) => (bound ? [value, binding, inputs] : [value]))
}

/** Absent values are left out, so that a new column changes no digest. */
export function recordDigest(row: Row, table: Pick<MappedTable, 'columns'>): string {
  const values: unknown[] = recordColumns.map((name) => row[name])
  for (const { value, bound, binding, inputs } of table.columns) {
    if (row[value] !== null) values.push(value, row[value])
    if (!bound) continue
    if (row[binding] !== null) values.push(binding, row[binding])
    if (row[inputs] !== null) values.push(inputs, row[inputs])
  }
  return rowDigest(...values)
}
