/** Exact decimals with decimal.js: never a binary float, never rounded silently. */
import { Decimal as DecimalJs } from 'decimal.js'

declare const decimalBrand: unique symbol

/** An opaque exact decimal: only the functions of this folder read it. Immutable; never NaN or infinite. */
export interface Decimal {
  readonly [decimalBrand]: 'Decimal'
}

/** decimal.js rounds a result to its precision; + - * never reach this one (`withinBounds` ensures it). */
const MAX_DIGITS = 2000
/** The longest text that is read as a decimal. A number field has far fewer digits. */
const MAX_TEXT = 1000
/** Texts up to this length are kept with their decimals, up to this number of them: rates, and amounts that repeat. */
const MAX_SHORT = 24
const MAX_RECENT = 2000
/** Significant digits that `/` keeps. */
const QUOTIENT_DIGITS = 34

const PLAIN = /^-?[0-9]+(?:\.[0-9]+)?$/
const NEVER_EXPONENT = { toExpNeg: -9e15, toExpPos: 9e15, rounding: DecimalJs.ROUND_HALF_EVEN }
const Exact = DecimalJs.clone({ ...NEVER_EXPONENT, precision: MAX_DIGITS })
const Quotient = DecimalJs.clone({ ...NEVER_EXPONENT, precision: QUOTIENT_DIGITS })

/** The constructor of every Decimal, for a registry of types (the expression language). Do not call it. */
export const decimalConstructor = Exact as unknown as new (...args: never[]) => Decimal

/** Thrown by `divide`; the expression language turns it into its own error with a position. */
export class DivisionByZeroError extends RangeError {
  override readonly name = 'DivisionByZero'
}

/** Thrown if an exact result would need over 2,000 digits, instead of returning an inexact one. */
export class DecimalTooLongError extends RangeError {
  override readonly name = 'DecimalTooLong'
}

/** Finding a decimal is several times as fast as parsing it again. */
const recent = new Map<string, Decimal>()

/** Parses a decimal: optional minus, digits, optional point and digits. Null for anything else. */
export function parseDecimal(text: string): Decimal | null {
  if (text.length > MAX_SHORT)
    return text.length <= MAX_TEXT && PLAIN.test(text) ? opaque(new Exact(text)) : null
  const known = recent.get(text)
  if (known !== undefined) return known
  if (!PLAIN.test(text)) return null
  const parsed = opaque(new Exact(text))
  if (recent.size === MAX_RECENT) recent.clear()
  recent.set(text, parsed)
  return parsed
}

/** Returns a decimal from plain text, a whole number or a bigint. Throws a RangeError on anything else. */
export function decimal(value: string | number | bigint): Decimal {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new RangeError(`${value} is a binary floating-point number: pass a decimal as text.`)
  }
  const parsed = parseDecimal(String(value))
  if (parsed === null)
    throw new RangeError(`"${String(value).slice(0, 40)}" is not a plain decimal, such as -12.50.`)
  return parsed
}

/** Whether a value is a Decimal of this module. */
export function isDecimal(value: unknown): value is Decimal {
  // Clones of decimal.js share one prototype, so instanceof would accept any of them; the constructor distinguishes
  // them.
  return value instanceof Exact && value.constructor === Exact
}

/** Returns the size of a number for cost estimates: its digits in groups of seven. */
export function digitGroupCount(value: Decimal): number {
  return js(value).d.length
}

/** Formats in the shortest plain notation: no exponent, no trailing zeros after the point, no `-0`. */
export function formatDecimal(value: Decimal): string {
  return js(value).toString()
}

/** Formats in plain notation with exactly `scale` digits after the point, rounded half-even. */
export function formatFixed(value: Decimal, scale: number): string {
  // Rounded first: decimal.js would write -0.001 at scale 2 as -0.00.
  return js(roundHalfEven(value, scale)).toFixed(scale)
}

/** Rounds half-even to at most `scale` digits after the point. */
export function roundHalfEven(value: Decimal, scale: number): Decimal {
  return opaque(js(value).toDecimalPlaces(scale, DecimalJs.ROUND_HALF_EVEN))
}

/** a + b, exactly. */
export function add(a: Decimal, b: Decimal): Decimal {
  withinBounds(digitsOfSum(js(a), js(b)))
  return opaque(js(a).plus(js(b)))
}

/** a - b, exactly. */
export function subtract(a: Decimal, b: Decimal): Decimal {
  withinBounds(digitsOfSum(js(a), js(b)))
  return opaque(js(a).minus(js(b)))
}

/** a * b, exactly. */
export function multiply(a: Decimal, b: Decimal): Decimal {
  const [x, y] = [js(a), js(b)]
  const product = x.times(y)
  withinBounds(x.precision() + y.precision())
  // The digits before the point limit how many digits a later sum must align.
  withinBounds(digitsOfSum(product, product))
  return opaque(product)
}

/** a / b to 34 significant digits, half-even. Throws DivisionByZero. */
export function divide(a: Decimal, b: Decimal): Decimal {
  if (js(b).isZero()) throw new DivisionByZeroError(`${formatDecimal(a)} cannot be divided by zero.`)
  const quotient = new Exact(Quotient.div(js(a), js(b)))
  withinBounds(digitsOfSum(quotient, quotient))
  return opaque(quotient)
}

/** -a */
export function negate(a: Decimal): Decimal {
  return opaque(js(a).negated())
}

/** -1, 0 or 1 by value: 1 and 1.0 are equal. */
export function compareDecimal(a: Decimal, b: Decimal): -1 | 0 | 1 {
  return js(a).comparedTo(js(b)) as -1 | 0 | 1
}

/** Returns the smaller of two; the first if they are equal. */
export function minDecimal(a: Decimal, b: Decimal): Decimal {
  return compareDecimal(a, b) <= 0 ? a : b
}

/** Returns the larger of two; the first if they are equal. */
export function maxDecimal(a: Decimal, b: Decimal): Decimal {
  return compareDecimal(a, b) >= 0 ? a : b
}

/**
 * Whether the value fits numeric(precision, scale) without rounding: at most `precision - scale` digits before the
 * point and at most `scale` after it. Trailing zeros and a leading zero do not count.
 */
export function checkPrecision(
  value: Decimal,
  precision: number,
  scale: number,
): 'ok' | 'precision' | 'scale' {
  const inner = js(value)
  if (!inner.isZero() && inner.e + 1 > precision - scale) return 'precision'
  return inner.decimalPlaces() > scale ? 'scale' : 'ok'
}

function js(value: Decimal): DecimalJs {
  return value as unknown as DecimalJs
}

function opaque(value: DecimalJs): Decimal {
  return value as unknown as Decimal
}

/**
 * Returns an upper bound of the digits of a + b: from the first digit of either to the last of either, plus a carry.
 */
function digitsOfSum(a: DecimalJs, b: DecimalJs): number {
  const digitsBeforePoint = Math.max(a.e, b.e, 0) + 1
  return digitsBeforePoint + Math.max(a.decimalPlaces(), b.decimalPlaces()) + 1
}

function withinBounds(digits: number): void {
  if (digits > MAX_DIGITS) {
    throw new DecimalTooLongError(
      `An exact result would need ${digits} digits; a decimal has at most ${MAX_DIGITS}.`,
    )
  }
}
