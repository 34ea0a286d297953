// What is wrong with a record that is saved.
import { AlmanacError } from '../errors/almanac-error.ts'
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

/**
 * Why an expression failed, without the values that it read: they can be hidden from the user. Null if it is not a failure of
 * an expression.
 */
export function failureReason(error: unknown): { code: FieldProblemCode; text: string } | null {
  if (error instanceof AlmanacError) return { code: error.code, text: `${error.kind.title}.` }
  if (error instanceof RangeError) return { code: 'record.value', text: 'The result does not fit the field.' }
  return null
}
