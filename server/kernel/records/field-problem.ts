// What is wrong with a record that is saved.
import type { ErrorCode } from '../errors/catalogue.ts'

export interface FieldProblem {
  /** The key of the field; null if the problem is with the record. */
  field: string | null
  code: FieldProblemCode
  message: string
  /** The validation rule that refused the record. */
  rule?: string
  /** The automation that refused the save. */
  automation?: string
}

export type FieldProblemCode =
  /** The value is not of the field's type, or does not fit it. */
  | 'record.value'
  /** The field does not exist. */
  | 'record.unknown_field'
  /** The field is computed. */
  | 'record.computed_field'
  | 'record.required'
  | 'record.rule'
  /** An automation refuses the save. */
  | 'record.raised'
  /** Another record has the value of a unique field. */
  | 'record.not_unique'
  /** The record that a reference names does not exist, or the caller cannot see it. */
  | 'record.unknown_reference'
  | ErrorCode
