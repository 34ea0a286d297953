// A filter as conditions on fields, all of which are met, and as the expression that the server applies.
import type { FieldDescription, RecordValue } from '../../../api/records.ts'

export type FilterOperator =
  | 'contains'
  | 'is'
  | 'is_not'
  | 'starts_with'
  | 'less'
  | 'at_most'
  | 'more'
  | 'at_least'
  | 'yes'
  | 'no'
  | 'empty'
  | 'filled'

export interface FilterCondition {
  /** The key of a field. */
  field: string
  operator: FilterOperator
  /** Null if it is not entered yet, or if the operator needs none. */
  value: RecordValue
}

type Field = Pick<FieldDescription, 'key' | 'type' | 'computed' | 'filling'>

const words: Readonly<Record<FilterOperator, string>> = {
  contains: 'contains (exact case)',
  is: 'is',
  is_not: 'is not',
  starts_with: 'starts with (exact case)',
  less: 'is less than',
  at_most: 'is at most',
  more: 'is more than',
  at_least: 'is at least',
  yes: 'equals yes',
  no: 'equals no',
  empty: 'is empty',
  filled: 'is not empty',
}
const dateWords: Partial<Record<FilterOperator, string>> = {
  less: 'is before',
  at_most: 'is on or before',
  more: 'is after',
  at_least: 'is on or after',
}

const comparisons = ['is', 'is_not', 'less', 'at_most', 'more', 'at_least'] as const
const operators: Readonly<Record<FieldDescription['type'], readonly FilterOperator[]>> = {
  text: ['contains', 'is', 'is_not', 'starts_with', 'empty', 'filled'],
  number: [...comparisons, 'empty', 'filled'],
  date: [...comparisons, 'empty', 'filled'],
  // Expressions have no literal for a moment, and a filter cannot take the date of one.
  datetime: ['empty', 'filled'],
  boolean: ['yes', 'no', 'empty', 'filled'],
  enum: ['is', 'is_not', 'empty', 'filled'],
  reference: ['is', 'is_not', 'empty', 'filled'],
}

/** Whether records can be filtered by a field. */
export const isFilterable = ({ computed, filling }: Field): boolean =>
  computed !== 'virtual_formula' && !filling

/** The operators of a field, with their words. */
export const operatorsOf = ({ type }: Pick<Field, 'type'>): { operator: FilterOperator; words: string }[] =>
  operators[type].map((operator) => ({
    operator,
    words: (type === 'date' && dateWords[operator]) || words[operator],
  }))

export const needsValue = (operator: FilterOperator): boolean =>
  !['yes', 'no', 'empty', 'filled'].includes(operator)

/** Whether a condition can be applied. */
export const isComplete = ({ operator, value }: FilterCondition): boolean =>
  !needsValue(operator) || (value !== null && value !== '')

const symbols = { less: '<', at_most: '<=', more: '>', at_least: '>=', is: '==' } as const

/** The expression of the complete conditions; empty without one. */
export function expressionOf(conditions: readonly FilterCondition[], fields: readonly Field[]): string {
  return conditions
    .filter(isComplete)
    .flatMap((condition) => {
      const field = fields.find(({ key }) => key === condition.field)
      return field === undefined ? [] : [partOf(condition, field)]
    })
    .join(' && ')
}

function partOf({ operator, value }: FilterCondition, { key, type }: Field): string {
  const text = JSON.stringify(String(value))
  const literal = literalOf(type, String(value))
  switch (operator) {
    case 'contains':
      return `${key}.contains(${text})`
    case 'starts_with':
      return `${key}.startsWith(${text})`
    case 'is_not':
      // As `!=` would not, it is also met by a record without a value.
      return `!(${key} == ${literal})`
    case 'yes':
      return `${key} == true`
    case 'no':
      return `${key} == false`
    case 'empty':
      return `!present(${key})`
    case 'filled':
      return `present(${key})`
    default:
      return `${key} ${symbols[operator]} ${literal}`
  }
}

function literalOf(type: Field['type'], value: string): string {
  // A number that is not one stays a text, and the server explains it.
  if (type === 'number' && /^-?\d+(\.\d+)?$/.test(value)) return value
  if (type === 'date') return `date(${JSON.stringify(value)})`
  return JSON.stringify(value)
}

/** The conditions of an expression; null if it is not only conditions that `expressionOf` writes. */
export function conditionsOf(expression: string, fields: readonly Field[]): FilterCondition[] | null {
  if (expression.trim() === '') return []
  const found: FilterCondition[] = []
  for (const part of partsOf(expression)) {
    const condition = conditionOf(part, fields)
    if (condition === null) return null
    found.push(condition)
  }
  return found
}

/** The parts between `&&` outside of texts. */
function partsOf(expression: string): string[] {
  const parts = ['']
  for (const [token] of expression.matchAll(/"(?:[^"\\]|\\.)*"|&&|[^"&]+|./gs))
    if (token === '&&') parts.push('')
    else parts[parts.length - 1] += token
  return parts.map((part) => part.trim())
}

const string = String.raw`"(?:[^"\\]|\\.)*"`
const patterns: readonly (readonly [FilterOperator, RegExp])[] = [
  ['empty', /^!present\((?<key>\w+)\)$/],
  ['filled', /^present\((?<key>\w+)\)$/],
  ['yes', /^(?<key>\w+) == true$/],
  ['no', /^(?<key>\w+) == false$/],
  ['contains', new RegExp(String.raw`^(?<key>\w+)\.contains\((?<literal>${string})\)$`)],
  ['starts_with', new RegExp(String.raw`^(?<key>\w+)\.startsWith\((?<literal>${string})\)$`)],
  ['is_not', /^!\((?<key>\w+) == (?<literal>.+)\)$/],
  ...Object.entries(symbols).map(
    ([operator, symbol]) =>
      [operator as FilterOperator, new RegExp(String.raw`^(?<key>\w+) ${symbol} (?<literal>.+)$`)] as const,
  ),
]

function conditionOf(part: string, fields: readonly Field[]): FilterCondition | null {
  for (const [operator, pattern] of patterns) {
    const groups = pattern.exec(part)?.groups
    if (groups === undefined) continue
    const key = groups['key']!
    const field = fields.find((each) => each.key === key)
    if (field === undefined || !operators[field.type].includes(operator)) continue
    const condition = { field: key, operator, value: valueOf(groups['literal'] ?? null) }
    // Anything that is written differently stays an expression, so that nothing of it is lost.
    if (isComplete(condition) && partOf(condition, field) === part) return condition
  }
  return null
}

function valueOf(literal: string | null): RecordValue {
  if (literal === null) return null
  const text = /^date\((.+)\)$/.exec(literal)?.[1] ?? literal
  if (!text.startsWith('"')) return text
  try {
    return String(JSON.parse(text))
  } catch {
    return null
  }
}
