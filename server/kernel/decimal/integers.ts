/** Whole parts, remainders and magnitudes of exact decimals, for the expression language. */
import type { Decimal as DecimalJs } from 'decimal.js'
import { DivisionByZeroError, formatDecimal, type Decimal } from './exact.ts'

/** Returns the largest whole number that is not greater than the value. */
export function floorDecimal(value: Decimal): Decimal {
  return opaque(js(value).floor())
}

/** Returns the smallest whole number that is not less than the value. */
export function ceilDecimal(value: Decimal): Decimal {
  return opaque(js(value).ceil())
}

/** Returns the value without its sign. */
export function absDecimal(value: Decimal): Decimal {
  return opaque(js(value).abs())
}

/** Returns a minus b times the whole part of a / b, exactly, with the sign of `a`. Throws DivisionByZero. */
export function remainder(a: Decimal, b: Decimal): Decimal {
  if (js(b).isZero()) throw new DivisionByZeroError(`${formatDecimal(a)} cannot be divided by zero.`)
  return opaque(js(a).mod(js(b)))
}

/** Returns the value as a number if it is a safe integer; null otherwise. */
export function toSafeInteger(value: Decimal): number | null {
  const number = js(value).isInteger() ? js(value).toNumber() : NaN
  return Number.isSafeInteger(number) ? number : null
}

function js(value: Decimal): DecimalJs {
  return value as unknown as DecimalJs
}

function opaque(value: DecimalJs): Decimal {
  return value as unknown as Decimal
}
