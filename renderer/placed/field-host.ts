// What placed fields show and change: a stored record, or the draft of a new one.
import type { FieldDescription, ObjectDescription, RecordValue } from '../api/records.ts'

/** A value along references, which is only shown. */
export interface ValueAlong {
  label: string
  words: string
}

/** Instead of a value along a reference that is not saved. */
export const shownOnceSaved = 'shown when it is saved'

/** Another user changed a field after this one had typed into it. */
export interface FieldConflict {
  /** The user; empty if unknown. */
  by: string
  /** The value of the other user, in words. */
  theirs: string
}

export interface FieldHost {
  /** Reactive, like everything that the functions read. */
  object(): ObjectDescription
  /** The id of the record; null if it is not saved yet. */
  id(): string | null
  valueOf(field: FieldDescription): RecordValue
  /** The name of the record that a reference refers to; empty if it is not known. */
  displayOf(field: string): string
  isEdited(field: FieldDescription): boolean
  canEdit(field: FieldDescription): boolean
  problemOf(field: string): string | undefined
  conflictOf(field: string): FieldConflict | undefined
  keepMine(field: FieldDescription): void
  takeTheirs(field: FieldDescription): void
  /** The error because of which a computed field has no value; undefined without one. */
  failureOf(field: string): string | undefined
  change(field: FieldDescription, value: RecordValue, display?: string): void
  /** The value of a path; null while it is not known. */
  along(path: string): ValueAlong | null
  /** The computed field that is explained. */
  explained(): string
  explain(field: FieldDescription): void
}
