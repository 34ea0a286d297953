// Values at run time. Dates are wrapped, so a date and the same text are never confused.
import { canonicalJson, type JsonValue } from '../change/canonical.ts'
import { parseCivilDate, type CivilDate } from '../dates/civil-date.ts'
import { explainCivilDate } from '../dates/explain-civil-date.ts'
import {
  compareDecimal,
  checkPrecision,
  formatDecimal,
  formatFixed,
  isDecimal,
  normaliseNumber,
  parseDecimal,
  roundHalfEven,
  type Decimal,
} from '../decimal/decimal.ts'
import { Instant, parseInstant } from './instant.ts'

export { Instant, parseInstant }

/** A calendar date as a value. */
export class DateValue {
  readonly date: CivilDate

  constructor(date: CivilDate) {
    this.date = date
  }
}

/** A value of an expression. `null` is an absent value; a reference is its id as text. */
export type ExprValue =
  Decimal | DateValue | Instant | string | boolean | null | readonly ExprValue[] | ObjectValue

/** An object of an external service, or the result of a call. */
export interface ObjectValue {
  readonly [name: string]: ExprValue
}

/** Field types of configuration, objects and parameters: all types that a value can be stored as. */
export type StoredType =
  'number' | 'text' | 'boolean' | 'date' | 'datetime' | 'enum' | 'reference' | 'credential_reference'

/**
 * Converts a stored value (decimal string, ISO date, text, boolean; null or undefined for absent) to an expression
 * value.
 * @throws RangeError naming the value if it is not of the type.
 */
export function exprValueFromField(type: StoredType, stored: unknown): ExprValue {
  if (stored === null || stored === undefined) return null
  if (type === 'boolean') {
    if (typeof stored === 'boolean') return stored
    throw new RangeError(`${previewText(stored)} is not true or false.`)
  }
  if (typeof stored !== 'string') throw new RangeError(notText(type, stored))
  switch (type) {
    case 'number':
      return parseDecimal(stored) ?? refuse(numberFault(stored))
    case 'date': {
      const date = parseCivilDate(stored)
      return date === null ? refuse(`${explainCivilDate(stored) ?? stored}.`) : new DateValue(date)
    }
    case 'datetime':
      return (
        parseInstant(stored) ?? refuse(`"${stored}" is not an instant: write it as 2025-01-01T12:00:00Z.`)
      )
    case 'text':
    case 'enum':
    case 'reference':
    case 'credential_reference':
      return stored
  }
}

export interface StoredForm {
  type: StoredType
  /** For a number, the total digits; checked only if set. */
  precision?: number
  /** For a number, the digits after the point, to which the value is rounded once, half-even. */
  scale?: number
}

/**
 * Converts a value to its stored form: a decimal string with exactly `scale` decimals, ISO 8601, text, a boolean, or
 * null.
 * @throws RangeError if the value is of a different type, or a number does not fit its precision.
 */
export function exprValueToStored(value: ExprValue, form: StoredForm): string | boolean | null {
  if (value === null) return null
  switch (form.type) {
    case 'number':
      if (isDecimal(value)) return storedNumber(value, form)
      break
    case 'boolean':
      if (typeof value === 'boolean') return value
      break
    case 'date':
      if (value instanceof DateValue) return value.date
      break
    case 'datetime':
      if (value instanceof Instant) return value.text
      break
    case 'text':
    case 'enum':
    case 'reference':
    case 'credential_reference':
      if (typeof value === 'string') return value
  }
  throw new RangeError(`A ${describeValue(value)} cannot be stored in a field of type ${form.type}.`)
}

/**
 * Returns the canonical JSON of a value: numbers and dates as strings. Equal values give equal bytes
 * (docs/reference/bindings-and-evidence.md).
 */
export function toCanonicalJson(value: ExprValue): string {
  return canonicalJson(valueToJson(value))
}

/** Returns the JSON form of a value, as used by the API and stored bindings. */
export function valueToJson(value: ExprValue): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (isDecimal(value)) return formatDecimal(value)
  if (value instanceof DateValue) return value.date
  if (value instanceof Instant) return value.text
  if (isListValue(value)) return value.map(valueToJson)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, valueToJson(item)]))
}

export function isListValue(value: ExprValue): value is readonly ExprValue[] {
  return Array.isArray(value)
}

/** Returns a member of an object, or an absent value if it has none or the value is not an object. */
export function memberOf(value: ExprValue, name: string): ExprValue {
  if (value === null || typeof value !== 'object' || isListValue(value)) return null
  if (isDecimal(value) || value instanceof DateValue || value instanceof Instant) return null
  return Object.hasOwn(value, name) ? value[name]! : null
}

/** Compares by value within one type; false between types. The caller handles absent operands. */
export function isEqualValue(a: ExprValue, b: ExprValue): boolean {
  return typeof a === 'object' || typeof b === 'object' ? compareValues(a, b) === 0 : a === b
}

/** Returns -1, 0 or 1 for two decimals, dates, instants or texts; NaN if they have no common order. */
export function compareValues(a: ExprValue, b: ExprValue): number {
  if (typeof a === 'string') return typeof b === 'string' ? compareText(a, b) : NaN
  if (isDecimal(a)) return isDecimal(b) ? compareDecimal(a, b) : NaN
  if (a instanceof DateValue) return b instanceof DateValue ? compareText(a.date, b.date) : NaN
  if (a instanceof Instant) return b instanceof Instant ? compareText(a.order, b.order) : NaN
  return NaN
}

/** Compares by code point, as a database that compares UTF-8 bytes does. */
export function compareText(a: string, b: string): -1 | 0 | 1 {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return rank(x) < rank(y) ? -1 : 1
  }
  return a.length < b.length ? -1 : 1
}

/** Describes a value for a message: "number 12", "date 2026-01-01". */
export function describeValue(value: ExprValue): string {
  if (value === null) return 'missing value'
  if (isDecimal(value)) return `number ${formatDecimal(value)}`
  if (value instanceof DateValue) return `date ${value.date}`
  if (value instanceof Instant) return `datetime ${value.text}`
  if (typeof value === 'string') return `text ${previewText(value)}`
  if (typeof value === 'boolean') return `boolean ${value}`
  return isListValue(value) ? `list of ${value.length}` : 'object'
}

// Surrogates encode code points above U+FFFF, so they come after every other code unit.
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

function storedNumber(value: Decimal, { precision, scale }: StoredForm): string {
  if (scale === undefined) return formatDecimal(value)
  if (precision !== undefined && checkPrecision(roundHalfEven(value, scale), precision, scale) !== 'ok') {
    throw new RangeError(`${formatDecimal(value)} does not fit numeric(${precision}, ${scale}).`)
  }
  return formatFixed(value, scale)
}

function numberFault(text: string): string {
  const result = normaliseNumber(text, 1000, 500)
  return result.ok ? `"${text.slice(0, 40)}" has too many digits for a number.` : result.hint
}

function notText(type: StoredType, stored: unknown): string {
  const way =
    type === 'number' && typeof stored === 'number' ? `: write it as a decimal string, "${stored}"` : ''
  return `${previewText(stored)} is not a ${type}${way}.`
}

function refuse(message: string): never {
  throw new RangeError(message)
}

function previewText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
  return typeof value === 'object' ? 'An object' : String(value)
}
