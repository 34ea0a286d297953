// What a write of a record leaves beside it: a change in its history, and effects for after the commit.
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { ChannelId } from '#kernel/events/index.ts'
import type { FieldId, ObjectId } from '#kernel/records/index.ts'

/** One write of a record: who changed what, and when. */
export interface RecordChange {
  object: ObjectId
  record: string
  /** Of the record after the write; of a removed one, its last. */
  version: number
  operation: 'insert' | 'update' | 'erase' | 'delete'
  at: string
  by: string
  correlationId: string
  /** The generation of the request. */
  generation: number
  /** Fields whose value differs, with the value before and after. */
  fields: readonly { field: FieldId; before: FieldValue; after: FieldValue }[]
  /** Stored values that a write has archived or bound differently; the value itself can be the same. */
  bindings: readonly { field: FieldId; before: BoundTo; after: BoundTo }[]
  /** The channels that carry it; only as it is written. */
  channels?: readonly ChannelId[]
}

/** What the history keeps of a binding. */
export interface BoundTo {
  generation: number
  archived: boolean
}

/** What an automation leaves for after the commit: an event to publish, or a call to send. */
export interface RecordEffect {
  kind: 'publish' | 'enqueue'
  automation: string
  action: string
  /** `<object>/<id>` of the record, with its version. */
  record: string
  version: number
  generation: number
  actor: string
  at: string
  /** The values of the action, as JSON. */
  body: Readonly<Record<string, unknown>>
  /** Expressions that read sensitive fields, by their path in the action: evaluated when the effect is carried out. */
  deferred: readonly string[]
}
