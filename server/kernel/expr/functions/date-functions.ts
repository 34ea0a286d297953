// Functions over calendar dates. None reads today's date: a date comes from a field, a parameter or a literal
// (docs/reference/expressions.md).
import { daysInMonth, formatIsoDate } from '../../dates/calendar.ts'
import { addDays, daysBetween, parseCivilDate, type CivilDate } from '../../dates/civil-date.ts'
import { decimal } from '../../decimal/decimal.ts'
import { dateType, datetimeType, decimalType, textType, unknownType } from '../type-names.ts'
import { DateValue, Instant, parseInstant, type ExprValue } from '../values.ts'
import type { BuiltIn } from './built-in.ts'
import { toWholeNumber } from './whole-number.ts'

const MOST_DAYS = 4_000_000
const MOST_MONTHS = 120_000

export const dateFunctions: readonly BuiltIn[] = [
  {
    name: 'date',
    form: 'function',
    overloads: [textType, datetimeType, dateType, unknownType].map((type) => ({
      params: [type],
      result: dateType,
    })),
    doc: 'The date of a text in the format YYYY-MM-DD (missing if the text is not a date), or the UTC date of a datetime.',
    example: 'date("2026-01-01")',
    missing: 'missing',
    evaluate: ([value]) => toDate(value!),
  },
  {
    name: 'datetime',
    form: 'function',
    overloads: [textType, dateType, datetimeType, unknownType].map((type) => ({
      params: [type],
      result: datetimeType,
    })),
    doc: 'The moment of a text in the format YYYY-MM-DDThh:mm:ss with Z or an offset (missing if the text is not a moment), or the beginning of a date in UTC.',
    example: 'datetime("2026-01-01T09:00:00Z")',
    missing: 'missing',
    evaluate: ([value]) => toInstant(value!),
  },
  part('year', 'The year of a date, as a number.', 0, 4),
  part('month', 'The month of a date, 1 to 12.', 5, 7),
  part('day', 'The day of the month, 1 to 31.', 8, 10),
  {
    name: 'addDays',
    form: 'function',
    overloads: [{ params: [dateType, decimalType], result: dateType }],
    doc: 'The date that is the given number of days later, or earlier if the number is negative.',
    example: 'addDays(invoice_date, 30)',
    missing: 'missing',
    evaluate: ([date, days]) =>
      new DateValue(addDays(civil(date!), toWholeNumber(days!, 'addDays', -MOST_DAYS, MOST_DAYS))),
  },
  {
    name: 'addMonths',
    form: 'function',
    overloads: [{ params: [dateType, decimalType], result: dateType }],
    doc: 'The same day the given number of months later; the last day of the month if that day does not exist.',
    example: 'addMonths(start_date, 12)',
    missing: 'missing',
    evaluate: ([date, months]) =>
      addMonths(civil(date!), toWholeNumber(months!, 'addMonths', -MOST_MONTHS, MOST_MONTHS)),
  },
  {
    name: 'daysBetween',
    form: 'function',
    overloads: [{ params: [dateType, dateType], result: decimalType }],
    doc: 'The number of days from the first date to the second; negative if the second is earlier.',
    example: 'daysBetween(invoice_date, due_date)',
    missing: 'missing',
    evaluate: ([from, to]) => decimal(daysBetween(civil(from!), civil(to!))),
  },
]

function part(name: string, doc: string, start: number, end: number): BuiltIn {
  return {
    name,
    form: 'function',
    overloads: [dateType, datetimeType].map((type) => ({ params: [type], result: decimalType })),
    doc,
    example: `${name}(invoice_date)`,
    missing: 'missing',
    evaluate: ([value]) => decimal(Number(civil(value!).slice(start, end))),
  }
}

function civil(value: ExprValue): CivilDate {
  return (value as DateValue | Instant).date
}

function toDate(value: ExprValue): ExprValue {
  if (typeof value === 'string') {
    const date = parseCivilDate(value)
    return date === null ? null : new DateValue(date)
  }
  if (value instanceof Instant) return new DateValue(value.date)
  return value instanceof DateValue ? value : null
}

function toInstant(value: ExprValue): ExprValue {
  if (typeof value === 'string') return parseInstant(value)
  if (value instanceof DateValue) return new Instant(value.date, '00:00:00', '')
  return value instanceof Instant ? value : null
}

function addMonths(date: CivilDate, months: number): DateValue {
  const [year, month, day] = [Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8, 10))]
  const total = year * 12 + (month - 1) + months
  const [toYear, toMonth] = [Math.floor(total / 12), (((total % 12) + 12) % 12) + 1]
  if (toYear < 1 || toYear > 9999)
    throw new RangeError(`${months} months from ${date} is outside the years 0001 to 9999.`)
  const text = formatIsoDate(toYear, toMonth, Math.min(day, daysInMonth(toYear, toMonth)))
  return new DateValue(parseCivilDate(text)!)
}
