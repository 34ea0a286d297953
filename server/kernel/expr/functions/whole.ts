// Whole-number arguments: counts, places and digits.
import { formatDecimal, type Decimal } from '../../decimal/decimal.ts'
import { wholeNumber } from '../../decimal/whole.ts'
import type { ExprValue } from '../values.ts'

/** The argument as a number. @throws RangeError where it is not whole or lies outside of the bounds. */
export function whole(value: ExprValue, name: string, least: number, most: number): number {
  const number = wholeNumber(value as Decimal)
  if (number !== null && number >= least && number <= most) return number
  throw new RangeError(
    `${name} takes a whole number from ${least} to ${most}, not ${formatDecimal(value as Decimal)}.`,
  )
}
