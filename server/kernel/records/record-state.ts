// A record as it is stored: values and bindings by the identity of their field, which a rename keeps.
import type { FieldValue } from '../components/field-types.ts'
import type { Binding, EvaluationSnapshot } from '../config/index.ts'

/** The identity of an object: a rename keeps it, and a reused key has a new one. */
export type ObjectId = string & { readonly ObjectId: true }

/** The identity of a channel: a rename keeps it. Opaque to all other modules. */
export type ChannelId = string & { readonly ChannelId: true }

/** The identity of a field of an object: a rename keeps it, and a reused key has a new one. */
export type FieldId = number & { readonly FieldId: true }

export interface RecordState {
  readonly id: string
  readonly object: ObjectId
  /** Entered values, and those of stored formulas and roll-ups; a missing one is absent. */
  readonly values: ReadonlyMap<FieldId, FieldValue>
  /** Of stored formulas and roll-ups. */
  readonly bindings: ReadonlyMap<FieldId, StoredBinding>
}

/** The binding of a stored value. */
export interface StoredBinding extends Binding {
  /** Set if the evidence of the value was archived: it is frozen, and keeps no generation. */
  archived?: ArchiveMark
}

/** What is known of an archived value without its formula, which can be gone with its generation. */
export interface ArchiveMark extends ArchivedReads {
  /** The archive that contains its evidence. */
  archive: string
  /** ISO 8601 instant. */
  at: string
  /** The user who archived it. */
  by: string
}

/** What the formula of an archived value reads. */
export interface ArchivedReads {
  object: ObjectId
  /** The formula. */
  field: FieldId
  isText: boolean
  /** Entered fields and roll-ups of the record, also those that its other formulas read. */
  own: readonly FieldId[]
  /** The fields with the as-of dates of these formulas, and their values. */
  dates: readonly { field: FieldId; value: FieldValue }[]
  /** The fields of other records. */
  along: readonly ReadAlong[]
}

/** A field that is read along references. */
export interface ReadAlong {
  /** From the record to the one that is read: each object with its reference. */
  chain: readonly { object: ObjectId; reference: FieldId }[]
  object: ObjectId
  field: FieldId
}

/** The names of objects and fields in one generation; they never change, and belong to one view. */
export interface RecordNames {
  /** Undefined if the object does not exist in this generation. */
  objectKey(id: ObjectId): string | undefined
  objectId(object: string): ObjectId | undefined
  /** By key; empty if the object does not exist in this generation. */
  fieldIds(object: string): ReadonlyMap<string, FieldId>
  /** Undefined if neither a channel nor an object with this name exists in this generation. */
  channelId(channel: string): ChannelId | undefined
  /** The key of the app that had a key in an earlier generation; undefined if it was removed since. */
  appKey(app: string, earlier: number): string | undefined
}

/** A generation in which records are computed. */
export interface RecordSnapshot extends EvaluationSnapshot {
  readonly names: RecordNames
}
