// A record as it is stored: values and bindings by the identity of their field, which a rename keeps.
import type { FieldValue } from '../components/field-types.ts'
import type { Binding, EvaluationSnapshot } from '../config/index.ts'

/** The identity of an object: a rename keeps it, and a reused key has a new one. */
export type ObjectId = string & { readonly ObjectId: true }

/** The identity of a field of an object: a rename keeps it, and a reused key has a new one. */
export type FieldId = number & { readonly FieldId: true }

export interface RecordState {
  readonly id: string
  readonly object: ObjectId
  /** Entered values, and those of stored formulas and roll-ups; a missing one is absent. */
  readonly values: ReadonlyMap<FieldId, FieldValue>
  /** Of stored formulas and roll-ups. */
  readonly bindings: ReadonlyMap<FieldId, Binding>
}

/** The names of objects and fields in one generation; they never change, and belong to one view. */
export interface RecordNames {
  /** Undefined if the object does not exist in this generation. */
  objectKey(id: ObjectId): string | undefined
  objectId(object: string): ObjectId | undefined
  /** By key; empty if the object does not exist in this generation. */
  fieldIds(object: string): ReadonlyMap<string, FieldId>
}

/** A generation in which records are computed. */
export interface RecordSnapshot extends EvaluationSnapshot {
  readonly names: RecordNames
}
