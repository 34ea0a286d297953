// JSON with exact numbers: reading keeps the numerals that a binary number would change, writing writes them as they are.
import type { JsonValue } from '../change/canonical.ts'
import { formatDecimal, isDecimal, type Decimal } from '../decimal/decimal.ts'

export interface ExactJson {
  /** As JSON.parse reads it; numbers can be rounded. */
  value: JsonValue
  /** Contains the value, because a numeral is found by its container. */
  root: readonly JsonValue[]
  /** Returns the numeral of a number that reading changed; undefined if it is exact. */
  numeral: (container: object, key: string) => string | undefined
}

/**
 * A number that can differ from its numeral has 16 digits or more, or an exponent of three. This also finds such digits in
 * texts and names, which costs time, not correctness.
 */
const possiblyInexact = /[\d.]{16}|\d[eE][-+]?\d{3}/

/** @throws SyntaxError if the text is not JSON */
export function parseExactJson(text: string): ExactJson {
  if (!possiblyInexact.test(text)) {
    const value = JSON.parse(text) as JsonValue
    return { value, root: [value], numeral: () => undefined }
  }
  const numerals = new Map<object, Map<string, string>>()
  const keep: ReviverWithSource = function (key, value, { source }) {
    if (typeof value === 'number' && source !== undefined && String(value) !== source) {
      const kept = numerals.get(this) ?? new Map<string, string>()
      numerals.set(this, kept.set(key, source))
    }
    return value
  }
  const root = JSON.parse(
    `[${text}\n]`,
    keep as (this: unknown, key: string, value: unknown) => unknown,
  ) as JsonValue[]
  if (root.length !== 1) throw new SyntaxError('The text is not one JSON value.')
  return { value: root[0]!, root, numeral: (container, key) => numerals.get(container)?.get(key) }
}

type ReviverWithSource = (
  this: object,
  key: string,
  value: JsonValue,
  context: { source?: string },
) => JsonValue

/** JSON in which a number can be exact. */
export type ExactValue =
  null | boolean | number | string | Decimal | readonly ExactValue[] | { readonly [name: string]: ExactValue }

/** Returns JSON text; members whose value is undefined are left out. */
export function writeExactJson(value: ExactValue): string {
  if (isDecimal(value)) return formatDecimal(value)
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${(value as readonly ExactValue[]).map(writeExactJson).join(',')}]`
  const members = Object.entries(value as { readonly [name: string]: ExactValue })
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${writeExactJson(each)}`).join(',')}}`
}
