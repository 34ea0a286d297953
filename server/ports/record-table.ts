// How the records of an object are stored.
import type { ObjectFieldType } from '#kernel/components/field-types.ts'
import type { FieldId, ObjectId } from '#kernel/records/index.ts'

/** How a field is stored. */
export interface RecordColumn {
  id: FieldId
  type: ObjectFieldType
  /** For a number. */
  precision?: number
  scale?: number
  /** Whether records are found or ordered by this field. */
  indexed: boolean
  /** Whether records are found by words of this field, which is a text. */
  searched: boolean
  /** Whether it has a binding: a stored formula or a roll-up. */
  bound: boolean
}

export interface RecordTable {
  id: ObjectId
  columns: readonly RecordColumn[]
}
