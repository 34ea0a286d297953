// When a registered client last used a field of an object, under which name.
import type { FieldId, ObjectId } from '#kernel/records/index.ts'

export interface FieldUse {
  client: string
  object: ObjectId
  field: FieldId
  /** The key or alias that the client used. */
  name: string
  /** ISO 8601 instant of the last use, to the minute. */
  at: string
}
