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
  if (minimum !== undefined && value < minimum) return check.issue(`must be at least ${minimum}`)
  if (maximum !== undefined && value > maximum) return check.issue(`must be at most ${maximum}`)
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    return check.issue(`must be greater than ${exclusiveMinimum}`)
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum)
    return check.issue(`must be less than ${exclusiveMaximum}`)
  if (multipleOf !== undefined && !isMultiple(value, multipleOf))
    return check.issue(`must be a multiple of ${multipleOf}`)
  return checkFormat(format, value, check)
}

function checkFormat(
  format: PreparedSchema['format'],
  value: string | number,
  check: Check,
): ValueIssue | null {
  return format === null || format.accepts(value, check.numeral) ? null : check.issue(format.reason)
}

/** Exact, by the shortest decimals of both: 19.99 is a multiple of 0.01. */
function isMultiple(value: number, of: number): boolean {
  if (!Number.isFinite(value)) return false
  const [a, b] = [scaled(value), scaled(of)]
  const scale = Math.max(a.scale, b.scale)
  // Longer than any number of a binary format needs: the remainder would be too costly.
  if (scale + Math.max(a.digits, b.digits) > 700) return false
  return (
    (a.coefficient * 10n ** BigInt(scale - a.scale)) % (b.coefficient * 10n ** BigInt(scale - b.scale)) === 0n
  )
}

function scaled(number: number): { coefficient: bigint; scale: number; digits: number } {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([-+]?\d+))?$/.exec(String(number)) ?? []
  const scale = fraction.length - Number(power)
  const coefficient = BigInt(sign + whole + fraction)
  if (scale >= 0) return { coefficient, scale, digits: whole.length }
  return { coefficient: coefficient * 10n ** BigInt(-scale), scale: 0, digits: whole.length - scale }
}

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
