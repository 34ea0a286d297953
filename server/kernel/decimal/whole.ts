/** Whole parts, remainders and magnitudes of exact decimals, for the expression language. Completions 3. */
import type { Decimal as DecimalJs } from 'decimal.js'
import { DivisionByZero, formatDecimal, type Decimal } from './exact.ts'

/** The largest whole number that is not above the value. */
export function floorDecimal(value: Decimal): Decimal {
  return opaque(js(value).floor())
}

/** The smallest whole number that is not below the value. */
export function ceilDecimal(value: Decimal): Decimal {
  return opaque(js(value).ceil())
}

/** The value without its sign. */
export function absDecimal(value: Decimal): Decimal {
  return opaque(js(value).abs())
}

/** a minus b times the whole part of a / b, exactly; it has the sign of `a`. Throws DivisionByZero. */
export function remainder(a: Decimal, b: Decimal): Decimal {
  if (js(b).isZero()) throw new DivisionByZero(`${formatDecimal(a)} has no remainder by zero.`)
  return opaque(js(a).mod(js(b)))
}

/** The value as a number where it is whole and safe to hold so; null otherwise. */
export function wholeNumber(value: Decimal): number | null {
  const number = js(value).isInteger() ? js(value).toNumber() : NaN
  return Number.isSafeInteger(number) ? number : null
}

function js(value: Decimal): DecimalJs {
  return value as unknown as DecimalJs
}

function opaque(value: DecimalJs): Decimal {
  return value as unknown as Decimal
}
