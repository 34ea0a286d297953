// Values of operations: exact numbers, dates and instants in place of the texts that JSON has for them.
import type { JsonValue } from '../change/canonical.ts'
import type { ServiceType, ServiceTypes } from '../components/external-service/service-types.ts'
import { pointer } from '../components/pointer.ts'
import { parseCivilDate } from '../dates/civil-date.ts'
import { isDecimal, parseDecimal, formatDecimal, type Decimal } from '../decimal/decimal.ts'
import { DateValue, Instant, parseInstant, type ExprValue } from '../expr/index.ts'
import type { ExactJson, ExactValue } from './exact-json.ts'

/** A value of an expression, or an object whose members are. `null` is an absent value. */
export type ServiceValue = ExprValue

export interface ValueIssue {
  /** JSON pointer into the value; empty for the whole. */
  pointer: string
  message: string
}

export type ReadValue = { ok: true; value: ServiceValue } | { ok: false; issue: ValueIssue }

/** Converts a JSON value to its type. Null and absent members are absent values. */
export function readServiceValue(json: ExactJson, type: ServiceType, { objects }: ServiceTypes): ReadValue {
  const path: (string | number)[] = []
  const read = (value: JsonValue, as: ServiceType, numeral: string | undefined): ServiceValue => {
    if (value === null) return null
    switch (as.kind) {
      case 'decimal':
        return (
          readNumber(value, as, numeral) ?? refuse(path, as.integer === true ? 'a whole number' : 'a number')
        )
      case 'text':
        return typeof value === 'string' ? value : refuse(path, 'a text')
      case 'boolean':
        return typeof value === 'boolean' ? value : refuse(path, 'true or false')
      case 'date': {
        const date = typeof value === 'string' ? parseCivilDate(value) : null
        return date === null ? refuse(path, 'a date such as 2026-01-31') : new DateValue(date)
      }
      case 'datetime':
        return (
          (typeof value === 'string' ? parseInstant(value) : null) ??
          refuse(path, 'a date and time such as 2026-01-31T12:00:00Z')
        )
      case 'list':
        if (!isList(value)) return refuse(path, 'a list')
        return value.map((item, at) => below(value, at, item, as.of))
      case 'object': {
        if (!isObject(value)) return refuse(path, 'an object')
        const { members, others } = objects[as.name]!
        const byKey = new Map(members.map((member) => [member.key, member.type]))
        return Object.fromEntries(
          Object.entries(value).map(([key, item]) => [
            key,
            below(value, key, item, byKey.get(key) ?? others ?? anything),
          ]),
        )
      }
      case 'absent':
        return refuse(path, 'absent')
      case 'dyn':
        return readAnything(value, numeral)
    }
  }
  const readAnything = (value: JsonValue, numeral: string | undefined): ServiceValue => {
    if (typeof value === 'number')
      return decimalOf(numeral ?? String(value)) ?? refuse(path, 'a number of a usual size')
    if (isList(value)) return value.map((item, at) => below(value, at, item, anything))
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, below(value, key, item, anything)]),
    )
  }
  const below = (container: object, key: string | number, item: JsonValue, as: ServiceType): ServiceValue => {
    path.push(key)
    const value = read(item, as, typeof item === 'number' ? json.numeral(container, String(key)) : undefined)
    path.pop()
    return value
  }
  try {
    return { ok: true, value: below(json.root, 0, json.value, type) }
  } catch (error) {
    if (error instanceof ReadError) return { ok: false, issue: error.issue }
    throw error
  }
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value)

const isObject = (value: JsonValue): value is { readonly [name: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

class ReadError extends Error {
  override readonly name = 'ReadError'
  readonly issue: ValueIssue

  constructor(issue: ValueIssue) {
    super(issue.message)
    this.issue = issue
  }
}

const anything: ServiceType = { kind: 'dyn' }

/** @param path of the value, below the root */
function refuse(path: readonly (string | number)[], expected: string): never {
  const place = pointer(...path.slice(1))
  throw new ReadError({
    pointer: place,
    message: `${place === '' ? 'The value' : place} must be ${expected}.`,
  })
}

/** Accepts a number and its text, because exact numbers are often written in quotes. */
function readNumber(
  value: JsonValue,
  { integer }: { integer?: true },
  numeral: string | undefined,
): Decimal | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null
  const number = decimalOf(typeof value === 'string' ? value : (numeral ?? String(value)))
  if (number === null || integer !== true) return number
  return formatDecimal(number).includes('.') ? null : number
}

const mostDigits = 1000

/** Also reads exponents; null if the number has more digits than numbers have here. */
function decimalOf(numeral: string): Decimal | null {
  if (!/[eE]/.test(numeral)) return parseDecimal(numeral)
  const match = /^(-?)(\d+)(?:\.(\d+))?[eE]([-+]?\d{1,4})$/.exec(numeral)
  if (match === null) return null
  const [, sign = '', whole = '', fraction = '', power = ''] = match
  const point = whole.length + Number(power)
  if (Math.abs(point) > mostDigits) return null
  const digits = whole + fraction
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0')
  const at = Math.max(point, 1)
  const part = padded.slice(at)
  return parseDecimal(
    `${sign}${padded.slice(0, at).replace(/^0+(?=\d)/, '')}${part === '' ? '' : `.${part}`}`,
  )
}

/** Returns what JSON writes for a value: numbers stay exact, or become text if their type is written in quotes. */
export function writeServiceValue(value: ServiceValue, type: ServiceType, types: ServiceTypes): ExactValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (isDecimal(value)) return type.kind === 'decimal' && type.wire === 'text' ? formatDecimal(value) : value
  if (value instanceof DateValue) return value.date
  if (value instanceof Instant) return value.text
  if (Array.isArray(value)) {
    const of = type.kind === 'list' ? type.of : anything
    return (value as readonly ServiceValue[]).map((item) => writeServiceValue(item, of, types))
  }
  const object = type.kind === 'object' ? types.objects[type.name] : undefined
  return Object.fromEntries(
    Object.entries(value as { readonly [name: string]: ServiceValue }).map(([key, item]) => {
      const member = object?.members.find((each) => each.key === key)
      return [key, writeServiceValue(item, member?.type ?? object?.others ?? anything, types)]
    }),
  )
}
