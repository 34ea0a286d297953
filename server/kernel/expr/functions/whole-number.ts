// Whole-number arguments: counts, positions and digits.
import { formatDecimal, type Decimal } from '../../decimal/decimal.ts'
import { toSafeInteger } from '../../decimal/integers.ts'
import type { ExprValue } from '../values.ts'

/** Returns the argument as a number. @throws RangeError if it is not whole or is outside of the bounds. */
export function toWholeNumber(value: ExprValue, name: string, least: number, most: number): number {
  const number = toSafeInteger(value as Decimal)
  if (number !== null && number >= least && number <= most) return number
  throw new RangeError(
    `${name} takes a whole number from ${least} to ${most}, not ${formatDecimal(value as Decimal)}.`,
  )
}
