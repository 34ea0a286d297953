// How values of records are stored in columns, so that they are exact and sort in their own order.
import type { FieldValue } from '#kernel/components/field-types.ts'
import { parseInstant } from '#kernel/expr/index.ts'
import type { RecordColumn } from '../../../ports/record-table.ts'

/** What SQLite stores: scaled integers, ordered text, 0 or 1. */
export type SqlValue = bigint | string | null

export interface Encoding {
  /** The type of the column; a number that outgrows its column gets a new one. */
  readonly sqlType: 'INTEGER' | 'TEXT'
  /** Part of the column's name, where the declaration of the field can change it. */
  readonly suffix: string
  encode(value: FieldValue): SqlValue
  decode(stored: SqlValue): FieldValue
  /**
   * The largest stored value that is not above a value, which can have more digits than the column. Exact if it is equal.
   * Below all stored values, it is less than each of them.
   */
  bound(value: FieldValue): Bound
}

export interface Bound {
  floor: SqlValue
  isExact: boolean
}

/** More digits do not fit the 64 bits of an integer. */
const maxIntegerDigits = 18

type Stored = Pick<RecordColumn, 'type' | 'precision' | 'scale'>

export function encodingOf({ type, precision = 0, scale = 0 }: Stored): Encoding {
  switch (type) {
    case 'number':
      return precision <= maxIntegerDigits ? scaledInteger(scale) : offsetText(precision, scale)
    case 'boolean':
      return {
        sqlType: 'INTEGER',
        suffix: '',
        encode: (value) => (value === null ? null : value === true ? 1n : 0n),
        decode: (stored) => (stored === null ? null : stored === 1n),
        bound: (value) => ({ floor: value === true ? 1n : 0n, isExact: true }),
      }
    case 'datetime':
      return {
        sqlType: 'TEXT',
        suffix: '',
        encode: (value) => (value === null ? null : parseInstant(value as string)!.order),
        decode: (stored) => (stored === null ? null : parseInstant(`${stored as string}Z`)!.text),
        bound: (value) => ({ floor: parseInstant(value as string)!.order, isExact: true }),
      }
    default:
      return {
        sqlType: 'TEXT',
        suffix: '',
        encode: (value) => value as string | null,
        decode: (stored) => stored as string | null,
        bound: (value) => ({ floor: value as string, isExact: true }),
      }
  }
}

function scaledInteger(scale: number): Encoding {
  return {
    sqlType: 'INTEGER',
    suffix: `_${scale}`,
    encode: (value) => (value === null ? null : unscaled(value as string, scale)),
    decode: (stored) => (stored === null ? null : formatScaled(stored as bigint, scale)),
    bound: (value) => clampedBound(value as string, scale, maxInteger, (floor) => floor),
  }
}

/** The digits of n + 10^p, whose order is that of the numbers. */
function offsetText(precision: number, scale: number): Encoding {
  const offset = 10n ** BigInt(precision)
  return {
    sqlType: 'TEXT',
    suffix: `_${precision}_${scale}`,
    encode: (value) =>
      value === null ? null : String(unscaled(value as string, scale) + offset).padStart(precision + 1, '0'),
    decode: (stored) => (stored === null ? null : formatScaled(BigInt(stored as string) - offset, scale)),
    bound: (value) =>
      clampedBound(value as string, scale, offset, (floor) =>
        String(floor + offset).padStart(precision + 1, '0'),
      ),
  }
}

const maxInteger = 10n ** 18n

/** @param limit above every stored number */
function clampedBound(text: string, scale: number, limit: bigint, write: (floor: bigint) => SqlValue): Bound {
  const [whole, fraction = ''] = text.split('.')
  const kept = fraction.slice(0, scale).padEnd(scale, '0')
  const dropped = fraction.slice(scale)
  const truncated = BigInt(whole! + kept)
  const isExact = /^0*$/.test(dropped)
  const floor = isExact || !text.startsWith('-') ? truncated : truncated - 1n
  if (floor >= limit) return { floor: write(limit - 1n), isExact: false }
  if (floor <= -limit) return { floor: write(-limit), isExact: false }
  return { floor: write(floor), isExact }
}

/** The number times 10^scale. It may have fewer decimals, if it was stored before its field had as many. */
function unscaled(text: string, scale: number): bigint {
  const point = text.indexOf('.')
  const decimals = point < 0 ? 0 : text.length - point - 1
  if (decimals > scale) throw new RangeError(`${text} has more than ${scale} decimals.`)
  const digits =
    (point < 0 ? text : text.slice(0, point) + text.slice(point + 1)) + '0'.repeat(scale - decimals)
  // A number of at most 15 digits is exact, and much faster.
  return digits.length <= 15 ? BigInt(Number(digits)) : BigInt(digits)
}

function formatScaled(unscaledValue: bigint, scale: number): string {
  const negative = unscaledValue < 0n
  const digits = String(negative ? -unscaledValue : unscaledValue).padStart(scale + 1, '0')
  const sign = negative ? '-' : ''
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
