// Formats that are checked. Others describe a value without deciding whether it is valid.
import { isIPv4, isIPv6 } from 'node:net'
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import {
  isInRange,
  rangeInWords,
  signedRange,
  unsignedRange,
  type IntegerRange,
} from '#kernel/decimal/integer-range.ts'
import { parseInstant } from '#kernel/expr/values.ts'
import { isList, type JsonValue } from '../json.ts'

export interface FormatCheck {
  /** @param numeral of a number, as it is written */
  accepts: (value: string | number, numeral: () => string) => boolean
  /** What is wrong with a value, after its place. */
  reason: string
}

const decimalNumber = /^-?[0-9]{1,1000}(\.[0-9]{1,1000})?$/
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const wholeNumber = /^-?[0-9]{1,40}$/

const textFormats: Readonly<Record<string, (text: string) => boolean>> = {
  date: (text) => parseCivilDate(text) !== null,
  'date-time': (text) => parseInstant(text) !== null,
  uuid: (text) => uuid.test(text),
  ipv4: isIPv4,
  ipv6: isIPv6,
  decimal: (text) => decimalNumber.test(text),
  decimal128: (text) => decimalNumber.test(text),
}

const ranges: Readonly<Record<string, IntegerRange>> = {
  ...{ int32: signedRange(32n), int64: signedRange(64n), uint64: unsignedRange(64n) },
}

/** Numbers that are often written as text. */
const wideFormats: ReadonlySet<string> = new Set(['int64', 'uint64'])

/** Returns the check of a format for values of its type; null if it is not checked. */
export function formatCheck(format: string | undefined, type: JsonValue | undefined): FormatCheck | null {
  if (format === undefined) return null
  const types = isList(type) ? type : [type]
  const isNumber = types.some((each) => each === 'number' || each === 'integer')
  const range = Object.hasOwn(ranges, format) ? ranges[format]! : null
  if (isNumber || wideFormats.has(format)) return range && rangeCheck(range, isNumber)
  const text = Object.hasOwn(textFormats, format) ? textFormats[format] : undefined
  if (text === undefined) return null
  return { accepts: (value) => typeof value !== 'string' || text(value), reason: 'does not have its format' }
}

function rangeCheck(range: IntegerRange, isNumber: boolean): FormatCheck {
  return {
    accepts: (value, numeral) => {
      if (typeof value === 'string') return isNumber || (wholeNumber.test(value) && isInRange(value, range))
      return !isNumber || isInRange(numeral(), range)
    },
    reason: `must be ${rangeInWords(range)}`,
  }
}
