/** Exact decimals and the text of number fields. */
export {
  add,
  compareDecimal,
  decimal,
  decimalConstructor,
  DecimalTooLongError,
  digitGroupCount,
  divide,
  DivisionByZeroError,
  checkPrecision,
  formatDecimal,
  formatFixed,
  isDecimal,
  maxDecimal,
  minDecimal,
  multiply,
  negate,
  parseDecimal,
  roundHalfEven,
  subtract,
  type Decimal,
} from './exact.ts'
export { toPlainNumber } from './number-hint.ts'
export { normaliseNumber, type NormalisedNumber } from './normalise-number.ts'
