// Checks limits of numbers and texts, formats and patterns.
import type { JsonValue } from '../json.ts'
import type { PreparedSchema } from './prepared-schema.ts'
import type { ValueIssue } from '#kernel/service-values/index.ts'
import type { Check } from './check.ts'

export function checkLimits(schema: PreparedSchema, value: JsonValue, check: Check): ValueIssue | null {
  if (typeof value === 'number') return checkNumber(schema, value, check)
  return typeof value === 'string' ? checkText(schema, value, check) : null
}

function checkNumber({ limits, format }: PreparedSchema, value: number, check: Check): ValueIssue | null {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = limits
  const compare = (limit: number): number => compareWith(limit, value, check.numeral)
  if (minimum !== undefined && compare(minimum) < 0) return check.issue(`must be at least ${minimum}`)
  if (maximum !== undefined && compare(maximum) > 0) return check.issue(`must be at most ${maximum}`)
  if (exclusiveMinimum !== undefined && compare(exclusiveMinimum) <= 0)
    return check.issue(`must be greater than ${exclusiveMinimum}`)
  if (exclusiveMaximum !== undefined && compare(exclusiveMaximum) >= 0)
    return check.issue(`must be less than ${exclusiveMaximum}`)
  if (multipleOf !== undefined && !isMultiple(check.numeral(), multipleOf))
    return check.issue(`must be a multiple of ${multipleOf}`)
  return checkFormat(format, value, check)
}

/**
 * Negative if the value is less than the limit, positive if it is greater. Different numbers can be the same double, and
 * then the digits decide, unless those of the limit were lost when its description was read.
 */
function compareWith(limit: number, value: number, numeral: () => string): number {
  if (value !== limit) return value < limit ? -1 : 1
  const text = String(limit)
  const [a, b] = [scaled(numeral()), scaled(text)]
  if (a === null || b === null || text.replaceAll(/e.*|\D/g, '').length > exactDigits) return 0
  const scale = Math.max(a.scale, b.scale)
  const difference = atScale(a, scale) - atScale(b, scale)
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}

function checkFormat(
  format: PreparedSchema['format'],
  value: string | number,
  check: Check,
): ValueIssue | null {
  return format === null || format.accepts(value, check.numeral) ? null : check.issue(format.reason)
}

/** Exact, by the digits of both: 19.99 is a multiple of 0.01. */
function isMultiple(numeral: string, of: number): boolean {
  const [a, b] = [scaled(numeral), scaled(String(of))]
  if (a === null || b === null) return false
  const scale = Math.max(a.scale, b.scale)
  return atScale(a, scale) % atScale(b, scale) === 0n
}

/** A number with as many digits is the only one of its double. */
const exactDigits = 15

interface Scaled {
  coefficient: bigint
  scale: number
}

/** Longer than any number of a binary format needs: to compute with more would be too costly. */
const mostDigits = 700

/** Null for a number that is too long. */
function scaled(numeral: string): Scaled | null {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(numeral) ?? []
  const scale = fraction.length - Number(power)
  if (whole.length + fraction.length > mostDigits || Math.abs(scale) > mostDigits) return null
  const coefficient = BigInt(sign + whole + fraction)
  return scale >= 0 ? { coefficient, scale } : { coefficient: coefficient * 10n ** BigInt(-scale), scale: 0 }
}

const atScale = ({ coefficient, scale }: Scaled, to: number): bigint =>
  coefficient * 10n ** BigInt(to - scale)

function checkText(
  { limits, format, pattern }: PreparedSchema,
  value: string,
  check: Check,
): ValueIssue | null {
  const { minLength, maxLength } = limits
  if (minLength !== undefined || maxLength !== undefined) {
    check.spend(value.length >> 4)
    const length = lengthOf(value)
    if (minLength !== undefined && length < minLength)
      return check.issue(`must have at least ${minLength} characters`)
    if (maxLength !== undefined && length > maxLength)
      return check.issue(`must have at most ${maxLength} characters`)
  }
  const issue = checkFormat(format, value, check)
  if (issue !== null) return issue
  return pattern === null || pattern(value, check.spend) ? null : check.issue('does not match its pattern')
}

/** Code points; a pair of surrogates is one. */
function lengthOf(text: string): number {
  let pairs = 0
  for (let at = 0; at < text.length; at += 1) if (text.codePointAt(at)! > 0xffff) pairs += 1
  return text.length - pairs
}
