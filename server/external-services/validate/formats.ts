// Formats that are checked. Others describe a value without deciding whether it is valid.
import { isIPv4, isIPv6 } from 'node:net'
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import { parseInstant } from '#kernel/expr/values.ts'
import { isList, type JsonValue } from '../json.ts'

type TextFormat = { type: 'string'; validate: (text: string) => boolean }
type NumberFormat = { type: 'number'; validate: (value: number) => boolean }

const text = (validate: (text: string) => boolean): TextFormat => ({ type: 'string', validate })

const wholeNumber = /^-?[0-9]{1,40}$/
const decimalNumber = /^-?[0-9]{1,1000}(\.[0-9]{1,1000})?$/
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const limit64 = 2n ** 63n

const textFormats: Readonly<Record<string, TextFormat>> = {
  date: text((value) => parseCivilDate(value) !== null),
  'date-time': text((value) => parseInstant(value) !== null),
  uuid: text((value) => uuid.test(value)),
  ipv4: text(isIPv4),
  ipv6: text(isIPv6),
  decimal: text((value) => decimalNumber.test(value)),
  decimal128: text((value) => decimalNumber.test(value)),
  int64: text((value) => wholeNumber.test(value) && BigInt(value) < limit64 && BigInt(value) >= -limit64),
  uint64: text((value) => wholeNumber.test(value) && BigInt(value) < 2n * limit64 && BigInt(value) >= 0n),
}

/** As read into a binary number; the exact limits of 64 bits are checked where the value is converted. */
const numberFormats: Readonly<Record<string, NumberFormat>> = {
  int32: { type: 'number', validate: (value) => value === (value | 0) },
  int64: { type: 'number', validate: (value) => Number.isInteger(value) && Math.abs(value) <= 2 ** 63 },
}

/** By name; a format of numbers has a name of its own, because a text can have the same. */
export const checkedFormats: Readonly<Record<string, TextFormat | NumberFormat>> = {
  ...textFormats,
  ...Object.fromEntries(
    Object.entries(numberFormats).map(([name, format]) => [numberFormatName(name), format]),
  ),
}

function numberFormatName(name: string): string {
  return `number ${name}`
}

/** Returns the name under which a format is checked; null if it is not. */
export function checkedFormat(format: string, type: JsonValue | undefined): string | null {
  const isNumber = (isList(type) ? type : [type]).some((each) => each === 'number' || each === 'integer')
  const name = isNumber ? numberFormatName(format) : format
  return Object.hasOwn(checkedFormats, name) ? name : null
}
