// Records as rows of their tables, and back.
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { FieldId, KeptInputs, ObjectId, StoredBinding } from '#kernel/records/index.ts'
import type { StoredRecord } from '../../../ports/record-store.ts'
import type { Bindings } from './bindings.ts'
import { recordDigest, type MappedTable, type Row } from './rows.ts'

export function rowOf(
  { values, bindings, inputs, ...record }: StoredRecord,
  table: MappedTable,
  stored: Bindings,
): Row {
  const row: Row = {
    id: record.id,
    version: BigInt(record.version),
    created_at: record.createdAt,
    created_by: record.createdBy,
    changed_at: record.changedAt,
    changed_by: record.changedBy,
  }
  for (const column of table.columns) {
    row[column.value] = column.encoding.encode(values.get(column.id) ?? null)
    if (!column.bound) continue
    const binding = bindings.get(column.id)
    const kept = inputs.get(column.id)
    row[column.binding] = binding === undefined ? null : BigInt(stored.idOf(binding))
    row[column.inputs] = kept === undefined ? null : JSON.stringify(kept)
  }
  row['digest'] = recordDigest(row, table)
  return row
}

export function recordOf(object: ObjectId, table: MappedTable, row: Row, stored: Bindings): StoredRecord {
  const values = new Map<FieldId, FieldValue>()
  const bindings = new Map<FieldId, StoredBinding>()
  const inputs = new Map<FieldId, KeptInputs>()
  for (const column of table.columns) {
    const value = row[column.value] ?? null
    if (value !== null) values.set(column.id, column.encoding.decode(value))
    if (!column.bound) continue
    const binding = row[column.binding] ?? null
    if (binding !== null) bindings.set(column.id, stored.at(Number(binding)))
    const kept = row[column.inputs] ?? null
    if (kept !== null) inputs.set(column.id, JSON.parse(kept as string) as KeptInputs)
  }
  return {
    id: row['id'] as string,
    object,
    version: Number(row['version']),
    createdAt: row['created_at'] as string,
    createdBy: row['created_by'] as string,
    changedAt: row['changed_at'] as string,
    changedBy: row['changed_by'] as string,
    values,
    bindings,
    inputs,
  }
}
