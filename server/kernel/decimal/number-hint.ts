/**
 * Suggests what to write instead of a text that is not a plain decimal. Parsing is strict, so messages name the
 * fix.
 */
import { decimal, divide, formatDecimal, formatFixed, multiply, parseDecimal, type Decimal } from './exact.ts'

/** Longer texts are not numbers; the limit keeps the patterns below from running over megabytes. */
const MAX_READ = 100

/** 1,250 can mean 1250 or 1.25. */
const AMBIGUOUS_COMMA = /^-?[1-9][0-9]{0,2},[0-9]{3}$/

/** Returns one or two sentences on why the text is not a plain decimal, with what to write if that is certain. */
export function numberHint(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') return 'A number is missing: write digits, such as 0.19.'
  if (trimmed.length > MAX_READ) return notANumber(trimmed)
  for (const hint of HINTS) {
    const advice = hint(trimmed)
    if (advice !== null) return advice
  }
  if (trimmed !== text && parseDecimal(trimmed) !== null)
    return `Remove the spaces around the number: write ${trimmed}.`
  return notANumber(trimmed)
}

/**
 * Returns the plain decimal of an unambiguous text: already plain, in groups, with a decimal comma, a plus sign or a
 * bare point. Null if it is not a number, is ambiguous, or contains more than a number, such as a percent sign.
 */
export function toPlainNumber(text: string): string | null {
  const trimmed = text.trim()
  if (trimmed.length > MAX_READ || AMBIGUOUS_COMMA.test(trimmed)) return null
  const unsigned = trimmed.replace(/^\+(?=[0-9.])/, '')
  if (/^-?[0-9]+,[0-9]+$/.test(unsigned)) return unsigned.replace(',', '.')
  if (/^-?(\.[0-9]+|[0-9]+\.)$/.test(unsigned)) return unsigned.replace(/^(-?)\./, '$10.').replace(/\.$/, '')
  return parseDecimal(unsigned) === null ? withoutGroups(unsigned) : unsigned
}

/** Reports how many digits before the point the text has and how many fit the field. */
export function precisionHint(text: string, digits: number, precision: number, scale: number): string {
  const room = precision - scale
  return (
    `${quoteText(text)} has ${count(digits)} before the decimal point; ` +
    `numeric(${precision}, ${scale}) allows ${room}. Write a smaller number or increase the field's precision.`
  )
}

/**
 * Reports how many digits after the point the text has and how many the field keeps, with the half-even rounding if it
 * fits.
 */
export function scaleHint(text: string, digits: number, precision: number, scale: number): string {
  const value = parseDecimal(text)
  const rounded = value === null ? '' : formatFixed(value, scale)
  const problem = `${quoteText(text)} has ${count(digits)} after the decimal point; the field allows ${scale}.`
  const whole = rounded.replace(/^-/, '').replace(/\..*$/, '').replace(/^0+/, '')
  if (whole.length > precision - scale)
    return `${problem} Rounded half-even, it is ${rounded}, which does not fit numeric(${precision}, ${scale}). Write a smaller number, or increase the field's precision and scale.`
  return `${problem} Round it half-even${rounded === '' ? '' : ` to ${rounded}`}, or increase the field's scale.`
}

/** Each recognises one way in which people and spreadsheets write numbers; null if the text does not match. */
const HINTS: readonly ((text: string) => string | null)[] = [
  function percent(text) {
    const match = /^([^%]*?)\s*%$/.exec(text)
    const value = match && meaning(match[1] ?? '')
    if (!match) return null
    if (!value) return 'A number cannot have a percent sign: write 0.19 for 19 percent.'
    return `Write ${formatDecimal(divide(value, decimal(100)))} instead of ${quoteText(text)}: a number cannot have a percent sign.`
  },
  function ambiguousComma(text) {
    if (!AMBIGUOUS_COMMA.test(text)) return null
    return `${quoteText(text)} can be read in two ways: write ${text.replace(',', '')} or ${text.replace(',', '.')}.`
  },
  function decimalComma(text) {
    if (!/^-?[0-9]+,[0-9]+$/.test(text)) return null
    return `Use a decimal point instead of a comma: write ${text.replace(',', '.')}.`
  },
  function groups(text) {
    const plain = withoutGroups(text)
    return plain === null ? null : `Remove the group separators: write ${plain}.`
  },
  function exponent(text) {
    const match = /^([+-]?[0-9]+(?:\.[0-9]+)?)[eE]([+-]?[0-9]{1,3})$/.exec(text)
    const mantissa = match && parseDecimal((match[1] ?? '').replace('+', ''))
    const power = Number(match?.[2])
    if (!mantissa) return null
    if (Math.abs(power) > 30) return `${quoteText(text)} has an exponent: write all the digits.`
    const factor = decimal('1' + '0'.repeat(Math.abs(power)))
    const value =
      power < 0 ? multiply(mantissa, decimal('0.' + '1'.padStart(-power, '0'))) : multiply(mantissa, factor)
    return `Write ${formatDecimal(value)} instead of ${quoteText(text)}: a number cannot have an exponent.`
  },
  function plusSign(text) {
    return /^\+[0-9]+(\.[0-9]+)?$/.test(text) ? `Remove the plus sign: write ${text.slice(1)}.` : null
  },
  function barePoint(text) {
    if (!/^-?(\.[0-9]+|[0-9]+\.)$/.test(text)) return null
    const written = text.replace(/^(-?)\./, (_, sign: string) => `${sign}0.`).replace(/\.$/, '')
    return `A decimal point needs digits on both sides: write ${written}.`
  },
  function otherMinus(text) {
    if (!/^[\u2212\u2013\u2014-]\s*[0-9]+(\.[0-9]+)?$/.test(text)) return null
    const written = text.replace(/^.\s*/, '-')
    return written === text
      ? null
      : `Write the minus sign as a plain hyphen right before the digits: ${written}.`
  },
  function unit(text) {
    const match = /^(?:\p{Sc}|[A-Z]{3})?\s*(-?[0-9]+(?:\.[0-9]+)?)\s*(?:\p{Sc}|[A-Z]{3})?$/u.exec(text)
    if (match === null || match[1] === text) return null
    return `Write only the number, ${match[1]}, without the currency.`
  },
]

/** Returns the value of a plain, grouped or decimal-comma text, or null if it is ambiguous. */
function meaning(text: string): Decimal | null {
  const plain = withoutGroups(text)
  if (plain !== null) return parseDecimal(plain)
  return /,[0-9]{3}$/.test(text) ? null : parseDecimal(text.replace(',', '.'))
}

/** Returns the digits of a number with unambiguous groups: 1,000.00, 1.000,00, 1'000, 1 000, 1,000,000, 1_000. */
function withoutGroups(text: string): string | null {
  const sure = /^-?[0-9]{1,3}(?:(?:,[0-9]{3})+\.[0-9]+|(?:,[0-9]{3}){2,})$/.test(text)
  if (sure) return text.replaceAll(',', '')
  const continental = /^-?[0-9]{1,3}(?:(?:\.[0-9]{3})+,[0-9]+|(?:\.[0-9]{3}){2,})$/.test(text)
  if (continental) return text.replaceAll('.', '').replace(',', '.')
  const spaced = /^-?[0-9]{1,3}(?:[ \u00a0\u2009\u202f'’_][0-9]{3})+(?:[.,][0-9]+)?$/.test(text)
  return spaced ? text.replace(/[ \u00a0\u2009\u202f'’_]/g, '').replace(',', '.') : null
}

function notANumber(text: string): string {
  return `${quoteText(text)} is not a number: write digits with an optional minus sign and a decimal point, such as 0.19.`
}

function count(digits: number): string {
  return digits === 1 ? '1 digit' : `${digits} digits`
}

function quoteText(text: string): string {
  return `"${text.length > 40 ? `${text.slice(0, 40)}…` : text}"`
}
