// What is wrong with a record that is saved.
import { AlmanacError } from '../errors/almanac-error.ts'
import type { ErrorCode } from '../errors/catalogue.ts'
import { placeOf, type ErrorPlace, type FieldPath } from '../expr/index.ts'
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
  /** Why an expression failed; removed before the problem is shown to a user who cannot read all that it has read. */
  failure?: ExpressionFailure
}

/** What is shown to a user who can read everything that the expression has read. */
export interface ExpressionFailure {
  message: string
  /** The set and the key that configuration lacks, or the expression and the place in it. */
  facts: { set: string; key: string | null } | ({ expression: string } & ErrorPlace)
  /** The sets and flags whose values the message can show. */
  sets: readonly string[]
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
  if (error instanceof AlmanacError)
    // The response to a callout cannot be read, in this expression as in any.
    return error.kind.class === 'integration' ? null : { code: error.code, text: `${error.kind.title}.` }
  if (error instanceof RangeError) return { code: 'record.value', text: 'The result does not fit the field.' }
  return null
}

/**
 * Why an expression over a record failed, if more can be shown than the kind of failure.
 * @param messageOf returns the message of the problem with a text in place of the kind
 * @param fields that the expression reads, also through virtual formulas
 */
export function expressionFailure(
  error: unknown,
  { program, paths }: FieldProgram,
  messageOf: (text: string) => string,
  fields: readonly FieldPath[] = paths,
): Pick<FieldProblem, 'failure'> {
  if (!(error instanceof AlmanacError)) return {}
  // The record that a reference referred to before the save can be one that the user cannot see.
  if (fields.some(({ path, prior }) => prior && path.length > 1)) return {}
  const { asOfField, reads, source } = program
  const own = fields.map(({ path }) => path)
  const shown = {
    message: messageOf(error.message),
    // The key that one set lacks can be a value of another.
    sets: [...reads.deepSets.map(({ set }) => set), ...reads.deepFlags],
    paths: asOfField === null ? own : [...own, [asOfField.field]],
  }
  const place = placeOf(error)
  if (place !== null) return { failure: { ...shown, facts: { expression: source, ...place } } }
  if (!error.code.startsWith('config.')) return {}
  const [detail] = error.details as readonly { set?: unknown; key?: unknown }[]
  if (typeof detail?.set !== 'string') return {}
  const key = typeof detail.key === 'string' ? detail.key : null
  return { failure: { ...shown, facts: { set: detail.set, key } } }
}
