// What the thread that computes a transaction reads: nobody can change it until the transaction ends.
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { FieldId, ObjectId } from '#kernel/records/index.ts'
import type { StoredRecord } from '../../../../ports/record-store.ts'
import type { RecordTable } from '../../../../ports/record-table.ts'
import type { KeyOf } from './written-records.ts'

/** The committed records. */
export interface CommittedRecords {
  get(object: ObjectId, ids: readonly string[]): StoredRecord[]
  find(object: ObjectId, field: FieldId, value: FieldValue, limit?: number): StoredRecord[]
  findAny(object: ObjectId, field: FieldId, values: readonly FieldValue[], limit: number): StoredRecord[]
  readonly keyOf: KeyOf
  /** See `RecordReader.boundGenerations`. */
  boundGenerations(): readonly number[]
  /** Whether there is room for everything that a table declares. */
  hasRoomFor(table: RecordTable): boolean
}
