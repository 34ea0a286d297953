// Functions over exact numbers. Rounding is half-even everywhere (docs/reference/bindings-and-evidence.md).
import { maxDecimal, minDecimal, roundHalfEven, type Decimal } from '../../decimal/decimal.ts'
import { absDecimal, ceilDecimal, floorDecimal } from '../../decimal/integers.ts'
import { dateType, datetimeType, decimalType } from '../type-names.ts'
import { isDecimal } from '../../decimal/decimal.ts'
import { compareValues, type ExprValue } from '../values.ts'
import type { BuiltIn } from './built-in.ts'
import { toWholeNumber } from './whole-number.ts'

const MAX_SCALE = 100
const extremes = [decimalType, dateType, datetimeType].map((type) => ({
  params: [type],
  rest: type,
  result: type,
}))

export const numberFunctions: readonly BuiltIn[] = [
  {
    name: 'round',
    form: 'function',
    overloads: [{ params: [decimalType, decimalType], optional: 1, result: decimalType }],
    doc: 'The number rounded half-even to the given digits after the decimal point; to a whole number if omitted.',
    example: 'round(amount * config.vat("DE").rate, 2)',
    missing: 'missing',
    evaluate: ([value, scale]) =>
      roundHalfEven(value as Decimal, scale === undefined ? 0 : toWholeNumber(scale, 'round', 0, MAX_SCALE)),
  },
  one(
    'floor',
    'The largest whole number that is not greater than the number.',
    'floor(weight / 1000)',
    floorDecimal,
  ),
  one(
    'ceil',
    'The smallest whole number that is not less than the number.',
    'ceil(weight / 1000)',
    ceilDecimal,
  ),
  one('abs', 'The number without its sign.', 'abs(balance)', absDecimal),
  {
    name: 'min',
    form: 'function',
    overloads: extremes,
    doc: 'The smallest of the numbers, or the earliest of the dates. Absent if any of them is absent.',
    example: 'min(amount, limit)',
    missing: 'missing',
    evaluate: (values) =>
      values.reduce((a, b) => (isDecimal(a) && isDecimal(b) ? minDecimal(a, b) : earlier(a, b))),
  },
  {
    name: 'max',
    form: 'function',
    overloads: extremes,
    doc: 'The largest of the numbers, or the latest of the dates. Absent if any of them is absent.',
    example: 'max(0, amount - allowance)',
    missing: 'missing',
    evaluate: (values) =>
      values.reduce((a, b) => (isDecimal(a) && isDecimal(b) ? maxDecimal(a, b) : later(a, b))),
  },
]

function one(name: string, doc: string, example: string, evaluate: (value: Decimal) => Decimal): BuiltIn {
  return {
    name,
    form: 'function',
    overloads: [{ params: [decimalType], result: decimalType }],
    doc,
    example,
    missing: 'missing',
    evaluate: ([value]) => evaluate(value as Decimal),
  }
}

function earlier(a: ExprValue, b: ExprValue): ExprValue {
  return compareValues(a, b) <= 0 ? a : b
}

function later(a: ExprValue, b: ExprValue): ExprValue {
  return compareValues(a, b) >= 0 ? a : b
}
