// What is wrong with a record that is saved.
import { AlmanacError } from '../errors/almanac-error.ts'
import type { ErrorCode } from '../errors/catalogue.ts'
import type { FieldProgram } from './object-programs.ts'

export interface FieldProblem {
  /** The key of the field; null if the problem is with the record. */
  field: string | null
  code: FieldProblemCode
  message: string
  /** The validation rule that refused the record. */
  rule?: string
  /** The automation that refused the save. */
  automation?: string
  /** What a configuration set lacks; removed before the problem is shown to a user who cannot read all of it. */
  lacking?: LackingConfiguration
}

export interface LackingConfiguration {
  set: string
  key: string | null
  /** What the message contains in its place. */
  title: string
  text: string
  /** The fields that the expression reads, from its record. */
  paths: readonly (readonly string[])[]
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

/**
 * What configuration lacks if that is why an expression over a record failed.
 * @param fields that the expression reads, also through virtual formulas
 */
export function lackingConfiguration(
  error: unknown,
  { program: { asOfField }, paths }: FieldProgram,
  fields: readonly (readonly string[])[] = paths.map(({ path }) => path),
): Pick<FieldProblem, 'lacking'> {
  if (!(error instanceof AlmanacError) || !error.code.startsWith('config.')) return {}
  const [detail] = error.details as readonly { set?: unknown; key?: unknown }[]
  if (typeof detail?.set !== 'string') return {}
  const key = typeof detail.key === 'string' ? detail.key : null
  const read = [...fields]
  if (asOfField !== null) read.push([asOfField.field])
  return {
    lacking: { set: detail.set, key, title: `${error.kind.title}.`, text: error.message, paths: read },
  }
}
