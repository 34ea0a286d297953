// When a registered client last used a field of an object, under which name.
import type { FieldId, ObjectId } from '#kernel/records/index.ts'

/** In place of a field: the object itself, by its key or an alias. */
export const objectItself = 0 as FieldId

export interface FieldUse {
  client: string
  object: ObjectId
  /** Or `objectItself`. */
  field: FieldId
  /** The key or alias that the client used. */
  name: string
  /** ISO 8601 instant of the last use, to the minute. */
  at: string
}
