// Functions over values of any type: missing values, conversion, size.
import { formatDecimal, isDecimal, parseDecimal, decimal } from '../../decimal/decimal.ts'
import { booleanType, dateType, datetimeType, decimalType, textType, unknownType } from '../type-names.ts'
import { DateValue, Instant, isListValue, type ExprValue } from '../values.ts'
import type { BuiltIn } from './built-in.ts'

export const generalFunctions: readonly BuiltIn[] = [
  {
    name: 'present',
    form: 'function',
    overloads: [{ params: ['any'], result: booleanType }],
    doc: 'True if the value is not missing. Empty text and false are values.',
    example: 'present(customer.country)',
    missing: 'seen',
    evaluate: ([value]) => value !== null && value !== undefined,
  },
  {
    name: 'coalesce',
    form: 'function',
    overloads: [{ params: ['T'], rest: 'T', result: 'T' }],
    doc: 'The first value that is not missing; missing if all are.',
    example: 'coalesce(discount, 0)',
    missing: 'seen',
    evaluate: (values) => values.find((value) => value !== null) ?? null,
  },
  {
    name: 'text',
    form: 'function',
    overloads: [decimalType, dateType, datetimeType, booleanType, textType, unknownType].map((type) => ({
      params: [type],
      result: textType,
    })),
    doc: 'The value as text: a number in its shortest plain form, a date as YYYY-MM-DD.',
    example: 'text(amount) + " EUR"',
    missing: 'missing',
    evaluate: ([value]) => textOf(value!),
  },
  {
    name: 'number',
    form: 'function',
    overloads: [
      { params: [textType], result: decimalType },
      { params: [decimalType], result: decimalType },
      { params: [unknownType], result: decimalType },
    ],
    doc: 'The number that a text in plain digits represents, such as -12.50; missing if the text is not a number.',
    example: 'number(reference_no)',
    missing: 'missing',
    evaluate: ([value]) =>
      typeof value === 'string' ? parseDecimal(value) : isDecimal(value!) ? value : null,
  },
  {
    name: 'boolean',
    form: 'function',
    overloads: [unknownType, booleanType].map((type) => ({ params: [type], result: booleanType })),
    doc: 'A value of unknown type as true or false; missing if it is neither.',
    example: 'boolean(check.body.details.passed)',
    missing: 'missing',
    evaluate: ([value]) => (typeof value === 'boolean' ? value : null),
  },
  {
    name: 'list',
    form: 'function',
    overloads: [{ params: [unknownType], result: { kind: 'list', of: unknownType } }],
    doc: 'A value of unknown type as a list of values of unknown type; missing if it is not a list.',
    example: 'list(check.body.details.reasons).exists(reason, text(reason) == "sanctioned")',
    missing: 'missing',
    evaluate: ([value]) => (isListValue(value!) ? value : null),
  },
  {
    name: 'size',
    form: 'both',
    overloads: [
      { params: [textType], result: decimalType },
      { params: ['list'], result: decimalType },
    ],
    doc: 'The number of characters (code points) in a text, or of items in a list.',
    example: 'vat_number.size() == 11',
    missing: 'missing',
    evaluate: ([value]) =>
      decimal(typeof value === 'string' ? codePoints(value) : (value as readonly ExprValue[]).length),
  },
]

/** A list or an object has no text. */
function textOf(value: ExprValue): string | null {
  if (isDecimal(value)) return formatDecimal(value)
  if (value instanceof DateValue) return value.date
  if (value instanceof Instant) return value.text
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : null
}

function codePoints(text: string): number {
  let count = text.length
  for (let i = 1; i < text.length; i++)
    if (isLow(text.charCodeAt(i)) && isHigh(text.charCodeAt(i - 1))) count--
  return count
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
