// The history of records: one row a write.
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { FieldId, ObjectId } from '#kernel/records/index.ts'
import type { RecordChange } from '../../../ports/record-store.ts'
import { all, run, type Db } from '../db.ts'

type FieldRow = [field: FieldId, before: FieldValue, after: FieldValue]

export function appendChange(db: Db, { fields, correlationId, ...change }: RecordChange): void {
  const rows = fields.map(({ field, before, after }): FieldRow => [field, before, after])
  run(
    db,
    `INSERT INTO record_change (object, record, version, operation, at, by, correlation_id, generation, fields)
     VALUES (@object, @record, @version, @operation, @at, @by, @correlationId, @generation, @fields)`,
    { ...change, correlationId, fields: JSON.stringify(rows) },
  )
}

interface ChangeRow extends Omit<RecordChange, 'fields' | 'correlationId'> {
  correlation_id: string
  fields: string
}

export function historyOf(db: Db, object: ObjectId, record: string): RecordChange[] {
  const rows = all<ChangeRow>(
    db,
    `SELECT object, record, version, operation, at, by, correlation_id, generation, fields
     FROM record_change WHERE record = ? AND object = ? ORDER BY sequence`,
    record,
    object,
  )
  return rows.map(({ correlation_id: correlationId, fields, ...row }) => ({
    ...row,
    correlationId,
    fields: (JSON.parse(fields) as FieldRow[]).map(([field, before, after]) => ({ field, before, after })),
  }))
}
