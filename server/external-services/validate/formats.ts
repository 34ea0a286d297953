// Formats that are checked. Others describe a value without deciding whether it is valid.
import { isIPv4, isIPv6 } from 'node:net'
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import { parseInstant } from '#kernel/expr/values.ts'
import { isList, type JsonValue } from '../json.ts'

export type FormatCheck = (value: string | number) => boolean

const wholeNumber = /^-?[0-9]{1,40}$/
const decimalNumber = /^-?[0-9]{1,1000}(\.[0-9]{1,1000})?$/
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const limit64 = 2n ** 63n

const textFormats: Readonly<Record<string, (text: string) => boolean>> = {
  date: (text) => parseCivilDate(text) !== null,
  'date-time': (text) => parseInstant(text) !== null,
  uuid: (text) => uuid.test(text),
  ipv4: isIPv4,
  ipv6: isIPv6,
  decimal: (text) => decimalNumber.test(text),
  decimal128: (text) => decimalNumber.test(text),
  int64: (text) => wholeNumber.test(text) && BigInt(text) < limit64 && BigInt(text) >= -limit64,
  uint64: (text) => wholeNumber.test(text) && BigInt(text) < 2n * limit64 && BigInt(text) >= 0n,
}

/** Of a number as JSON.parse reads it. */
const numberFormats: Readonly<Record<string, (number: number) => boolean>> = {
  int32: (number) => number === (number | 0),
  int64: (number) => Number.isInteger(number) && Math.abs(number) <= 2 ** 63,
}

/** Returns the check of a format for values of its type; null if it is not checked. */
export function formatCheck(format: string | undefined, type: JsonValue | undefined): FormatCheck | null {
  if (format === undefined) return null
  const types = isList(type) ? type : [type]
  const isNumber = types.some((each) => each === 'number' || each === 'integer')
  const number = Object.hasOwn(numberFormats, format) ? numberFormats[format] : undefined
  if (isNumber) return number === undefined ? null : (value) => typeof value !== 'number' || number(value)
  const text = Object.hasOwn(textFormats, format) ? textFormats[format] : undefined
  return text === undefined ? null : (value) => typeof value !== 'string' || text(value)
}
