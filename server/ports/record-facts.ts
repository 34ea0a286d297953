// How many records and values an org has, for checks of a change list.
import type { FieldId, ObjectId } from '#kernel/records/index.ts'
import type { FieldUse } from './field-use.ts'

export interface RecordFacts {
  /** Whether any object has, or had, records. */
  any(): boolean
  count(object: ObjectId): number
  /** Records with a value in a field. */
  countValues(object: ObjectId, field: FieldId): number
  /** Values of a field that more than one record has. */
  countDuplicates(object: ObjectId, field: FieldId): number
  /** What clients have used of an object. */
  uses(object: ObjectId): FieldUse[]
}
