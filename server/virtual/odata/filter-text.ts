// Writes a condition as `$filter` of OData 4. A source can treat a comparison with null as true, false or null, so each
// comparison first tests what it reads: then every source decides as our evaluator does (docs/reference/expressions.md).
import { addDays, type CivilDate } from '#kernel/dates/civil-date.ts'
import type { FilterOperator, RemoteFilter, RemoteFunction, RemoteOperand } from '#kernel/expr/index.ts'
import type { MappedField, VirtualObject } from '../virtual-object.ts'
import { literalOf, plainLiteral } from './literal.ts'

type Fields = Pick<VirtualObject, 'fields'>

/** `true` if every row passes, `false` if none does; otherwise the text, which is not encoded. */
export function filterText(filter: RemoteFilter, object: Fields): string | boolean {
  const { text } = conditionOf(filter, false, object)
  return text
}

interface Condition {
  text: string | boolean
  /** The outermost operator. */
  outer: 'or' | 'and' | 'not' | null
}

const constant = (value: boolean): Condition => ({ text: value, outer: null })
const atom = (text: string): Condition => ({ text, outer: null })

/** @param isNegated whether the source would turn a null into a row that it leaves out */
function conditionOf(filter: RemoteFilter, isNegated: boolean, object: Fields): Condition {
  switch (filter.op) {
    case 'constant':
      return constant(filter.value)
    case 'and':
    case 'or':
      return join(
        filter.op,
        [filter.left, filter.right].map((part) => conditionOf(part, isNegated, object)),
      )
    case 'not': {
      const { text } = conditionOf(filter.of, true, object)
      return typeof text === 'boolean' ? constant(!text) : { text: `not (${text})`, outer: 'not' }
    }
    case 'present':
      return allPresent(fieldsIn(filter.of), object)
    case 'is_true':
      return guard(isNegated ? [filter.field] : [], atom(`${remoteOf(filter.field, object)} eq true`), object)
    case 'compare_day':
      return guard([filter.field], dayCondition(filter, object), object)
    case 'compare':
      return comparison(filter, isNegated, object)
    default: {
      const call = `${textTests[filter.op]}(${operandText(filter.of, object)},${operandText(filter.text, object)})`
      return guard([...fieldsIn(filter.of), ...fieldsIn(filter.text)], atom(call), object)
    }
  }
}

function join(op: 'and' | 'or', parts: readonly Condition[]): Condition {
  const deciding = op === 'or'
  if (parts.some(({ text }) => text === deciding)) return constant(deciding)
  const open = parts.filter(({ text }) => typeof text === 'string')
  if (open.length <= 1) return open[0] ?? constant(!deciding)
  // Some parsers give all three the same precedence.
  const isPlain = ({ outer }: Condition): boolean => outer === null || outer === op
  const texts = open.map((part) => (isPlain(part) ? String(part.text) : `(${String(part.text)})`))
  return { text: texts.join(` ${op} `), outer: op }
}

type Comparison = Extract<RemoteFilter, { op: 'compare' }>

function comparison({ operator, left, right }: Comparison, isNegated: boolean, object: Fields): Condition {
  const texts = [operandText(left, object, right), operandText(right, object, left)]
  const fields = [...fieldsIn(left), ...fieldsIn(right)]
  // No value of the remote type is equal to this one, so each is different.
  if (texts.includes(null)) return operator === '!=' ? allPresent(fields, object) : constant(false)
  const isFieldAlone =
    [left, right].every(({ op }) => op === 'field' || op === 'value') && fields.length === 1
  const needsGuard = isNegated || operator !== '==' || !isFieldAlone
  return guard(needsGuard ? fields : [], atom(`${texts[0]} ${operators[operator]} ${texts[1]}`), object)
}

function dayCondition(
  { operator, field, day }: Extract<RemoteFilter, { op: 'compare_day' }>,
  object: Fields,
): Condition {
  const name = remoteOf(field, object)
  const from = `${day}T00:00:00Z`
  const next = day === lastDay ? null : `${addDays(day, 1)}T00:00:00Z`
  const before = atom(`${name} lt ${from}`)
  const notBefore = atom(`${name} ge ${from}`)
  const after = next === null ? constant(false) : atom(`${name} ge ${next}`)
  const notAfter = next === null ? constant(true) : atom(`${name} lt ${next}`)
  switch (operator) {
    case '==':
      return join('and', [notBefore, notAfter])
    case '!=':
      return join('or', [before, after])
    case '<':
      return before
    case '<=':
      return notAfter
    case '>':
      return after
    case '>=':
      return notBefore
  }
}

const lastDay = '9999-12-31' as CivilDate

function guard(fields: readonly string[], condition: Condition, object: Fields): Condition {
  return join('and', [allPresent(fields, object), condition])
}

function allPresent(fields: readonly string[], object: Fields): Condition {
  return [...new Set(fields)]
    .map((field) => atom(`${remoteOf(field, object)} ne null`))
    .reduce((left, right) => join('and', [left, right]), constant(true))
}

function fieldsIn(operand: RemoteOperand): string[] {
  switch (operand.op) {
    case 'field':
      return [operand.field]
    case 'value':
      return []
    case 'call':
      return operand.args.flatMap(fieldsIn)
    case 'arithmetic':
      return [operand.left, operand.right].flatMap(fieldsIn)
  }
}

/** Null if the remote type of the other operand does not have the value. */
function operandText(operand: RemoteOperand, object: Fields, other?: RemoteOperand): string | null {
  switch (operand.op) {
    case 'field':
      return remoteOf(operand.field, object)
    case 'value':
      return other?.op === 'field'
        ? literalOf(operand.value, fieldOf(other.field, object))
        : plainLiteral(operand.value)
    case 'call':
      return callText(operand.function, operand.args, object)
    case 'arithmetic': {
      const [left, right] = [operand.left, operand.right].map((side) => numberText(side, object))
      return `${left} ${arithmetic[operand.operator]} ${right}`
    }
  }
}

/** A constant of a calculation is a decimal, so that whole numbers do not overflow in the source. */
function numberText(operand: RemoteOperand, object: Fields): string {
  const text = operandText(operand, object)!
  if (operand.op === 'arithmetic') return `(${text})`
  return operand.op === 'value' && !text.includes('.') ? `${text}.0` : text
}

function callText(name: RemoteFunction, args: readonly RemoteOperand[], object: Fields): string {
  const texts = args.map((arg) => operandText(arg, object)!)
  const [text, from, to] = texts
  // Ours has an end; that of OData has a length.
  if (name === 'substring' && to !== undefined)
    return `substring(${text},${from},${Math.max(0, Number(to) - Number(from))})`
  return `${functions[name]}(${texts.join(',')})`
}

const fieldOf = (key: string, { fields }: Fields): MappedField => fields.get(key)!
const remoteOf = (key: string, object: Fields): string => fieldOf(key, object).remote

const operators: Readonly<Record<FilterOperator, string>> = {
  '==': 'eq',
  '!=': 'ne',
  '<': 'lt',
  '<=': 'le',
  '>': 'gt',
  '>=': 'ge',
}

const arithmetic = { '+': 'add', '-': 'sub', '*': 'mul' } as const

const textTests = { contains: 'contains', starts_with: 'startswith', ends_with: 'endswith' } as const

const functions: Readonly<Record<RemoteFunction, string>> = {
  lower: 'tolower',
  upper: 'toupper',
  trim: 'trim',
  substring: 'substring',
  size: 'length',
  concat: 'concat',
  year: 'year',
  month: 'month',
  day: 'day',
  floor: 'floor',
  ceil: 'ceiling',
}
