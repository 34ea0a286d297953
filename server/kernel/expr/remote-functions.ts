// Operators and built-in functions that OData 4 has, with the same meaning.
import { formatDecimal, type Decimal } from '../decimal/decimal.ts'
import { toSafeInteger } from '../decimal/integers.ts'
import { AlmanacError } from '../errors/almanac-error.ts'
import type { FilterOperator } from './filter.ts'
import type { RemoteFunction } from './remote-condition.ts'

/** @throws AlmanacError `expression.evaluation`, as the evaluation of a row would */
export function wholePosition(position: Decimal): Decimal {
  const whole = toSafeInteger(position)
  if (whole !== null && whole >= 0) return position
  throw new AlmanacError(
    'expression.evaluation',
    `substring takes whole numbers from 0; ${formatDecimal(position)} is not one.`,
  )
}

export const flipped: Readonly<Record<FilterOperator, FilterOperator>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}

export const textTests: Readonly<Record<string, 'starts_with' | 'ends_with' | 'contains'>> = {
  startsWith: 'starts_with',
  endsWith: 'ends_with',
  contains: 'contains',
}

/** Built-in functions that OData 4 has, with the same meaning, and what they take. */
export const remoteFunctions: Readonly<
  Record<string, { function: RemoteFunction; of: 'text' | 'number' | 'date' }>
> = {
  lower: { function: 'lower', of: 'text' },
  upper: { function: 'upper', of: 'text' },
  trim: { function: 'trim', of: 'text' },
  substring: { function: 'substring', of: 'text' },
  size: { function: 'size', of: 'text' },
  year: { function: 'year', of: 'date' },
  month: { function: 'month', of: 'date' },
  day: { function: 'day', of: 'date' },
  floor: { function: 'floor', of: 'number' },
  ceil: { function: 'ceil', of: 'number' },
}
