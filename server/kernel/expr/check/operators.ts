// Checks the operand types of operators, and suggests what to write if they do not match.
import { formatDecimal, isDecimal } from '../../decimal/decimal.ts'
import type { ASTNode } from '../parse.ts'
import {
  booleanType,
  isCompatible,
  decimalType,
  isFlexibleType,
  commonType,
  textType,
  typeName,
} from '../type-names.ts'
import type { BinaryOperator, TypedExpression } from '../typed-tree.ts'
import { reportMistake, receiverText, reportProblem, textOf, type Checker } from './checker.ts'
import { spanOf } from './span.ts'

const ordered: ReadonlySet<string> = new Set(['decimal', 'text', 'date', 'datetime'])
const arithmetic: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%'])

export function checkBinary(
  checker: Checker,
  node: ASTNode,
  operator: BinaryOperator,
  args: readonly [ASTNode, ASTNode],
): TypedExpression {
  const left = checker.value(checker, args[0])
  const right = checker.value(checker, args[1])
  const binary = { op: 'binary' as const, operator, left, right, ...spanOf(node) }
  if (arithmetic.has(operator)) return { ...binary, type: checkArithmetic(checker, binary) }
  if (operator === 'in') checkIn(checker, binary)
  else checkComparison(checker, binary)
  return { ...binary, type: booleanType }
}

type Binary = {
  operator: BinaryOperator
  left: TypedExpression
  right: TypedExpression
  start: number
  end: number
}

function checkArithmetic(
  checker: Checker,
  { operator, left, right, ...span }: Binary,
): TypedExpression['type'] {
  const [a, b] = [left.type, right.type]
  const isText = a.kind === 'text' || b.kind === 'text'
  if (operator === '+' && isText && isCompatible(a, textType) && isCompatible(b, textType)) return textType
  if (isCompatible(a, decimalType) && isCompatible(b, decimalType)) {
    if ((operator === '/' || operator === '%') && isZero(right))
      reportProblem(
        checker,
        'expr.type',
        right,
        `Division by zero: "${operator}" needs a different number here.`,
      )
    return decimalType
  }
  const [first, second] = [textOf(checker, left), textOf(checker, right)]
  const say = (message: string, suggestion?: string): void =>
    reportProblem(checker, 'expr.type', span, message, suggestion)
  if (operator === '+' && isText) {
    const other = a.kind === 'text' ? right : left
    say(`A text and a ${typeName(other.type)} cannot be added: write text(${textOf(checker, other)}).`)
    return textType
  }
  if (a.kind === 'date' && b.kind === 'decimal' && (operator === '+' || operator === '-')) {
    const suggestion = `addDays(${first}, ${operator === '-' ? `-(${second})` : second})`
    say(`Use a function to add days to a date: write ${suggestion}.`, suggestion)
    return a
  }
  if (a.kind === 'date' && b.kind === 'date' && operator === '-') {
    const suggestion = `daysBetween(${second}, ${first})`
    say(`Use a function to count the days between two dates: write ${suggestion}.`, suggestion)
    return decimalType
  }
  const wrong = isCompatible(a, decimalType) ? right : left
  reportProblem(
    checker,
    'expr.type',
    wrong,
    `"${operator}" takes numbers; this is a ${typeName(wrong.type)}.${asNumber(checker, wrong)}`,
  )
  return decimalType
}

function isZero(node: TypedExpression): boolean {
  return node.op === 'literal' && isDecimal(node.value) && formatDecimal(node.value) === '0'
}

function asNumber(checker: Checker, node: TypedExpression): string {
  return node.type.kind === 'text' || node.type.kind === 'unknown'
    ? ` Convert it with number(${textOf(checker, node)}).`
    : ''
}

function checkComparison(checker: Checker, { operator, left, right, ...span }: Binary): void {
  const absent = [left, right].find(({ type }) => type.kind === 'absent')
  if (absent !== undefined) return reportAbsent(checker, operator, absent === left ? right : left, span)
  if (!isCompatible(left.type, right.type)) return reportIncomparable(checker, operator, left, right, span)
  const isEquality = operator === '==' || operator === '!='
  const type = isFlexibleType(left.type) ? right.type : left.type
  if (isFlexibleType(type)) return
  const whole = uncomparable[type.kind]
  if (whole !== undefined) reportProblem(checker, 'expr.type', span, whole)
  else if (!isEquality && !ordered.has(type.kind))
    reportProblem(
      checker,
      'expr.type',
      span,
      `Values of type ${typeName(type)} have no order: compare them with == or !=.`,
    )
}

const uncomparable: Readonly<Partial<Record<TypedExpression['type']['kind'], string>>> = {
  object: 'Objects cannot be compared as a whole: compare their members.',
  unknown: 'Values of unknown type cannot be compared: convert both, for example with text(x) or number(x).',
  list: 'Lists cannot be compared as a whole: test their items, for example with all or exists.',
}

function reportAbsent(
  checker: Checker,
  operator: BinaryOperator,
  other: TypedExpression,
  span: { start: number; end: number },
): void {
  const test = `present(${textOf(checker, other)})`
  const suggestion = operator === '==' ? `!${test}` : operator === '!=' ? test : undefined
  const way = suggestion ?? test
  reportProblem(
    checker,
    'expr.type',
    span,
    `A comparison with null is always false: write ${way}.`,
    suggestion,
  )
}

function reportIncomparable(
  checker: Checker,
  operator: BinaryOperator,
  left: TypedExpression,
  right: TypedExpression,
  span: { start: number; end: number },
): void {
  const pair = [left, right]
  const message = `A ${typeName(left.type)} and a ${typeName(right.type)} cannot be compared with "${operator}".`
  const unknown = pair.find(({ type }) => type.kind === 'unknown')
  const other = unknown === left ? right : left
  if (unknown !== undefined && converted[other.type.kind] !== undefined) {
    const suggestion = `${converted[other.type.kind]}(${textOf(checker, unknown)})`
    return reportProblem(checker, 'expr.type', unknown, `${message} Write ${suggestion}.`, suggestion)
  }
  const asDate = pair.find(({ type }) => type.kind === 'text' || type.kind === 'datetime')
  if (pair.some(({ type }) => type.kind === 'date') && asDate !== undefined) {
    const suggestion = `date(${textOf(checker, asDate)})`
    return reportProblem(checker, 'expr.type', asDate, `${message} Write ${suggestion}.`, suggestion)
  }
  const text = pair.find(({ type }) => type.kind === 'text')
  if (pair.some(({ type }) => type.kind === 'decimal') && text !== undefined) {
    const literal = text.op === 'literal' && typeof text.value === 'string' ? text.value : null
    const isNumber = literal !== null && /^-?[0-9]+(\.[0-9]+)?$/.test(literal)
    const suggestion = isNumber ? literal : `number(${textOf(checker, text)})`
    return reportProblem(checker, 'expr.type', text, `${message} Write ${suggestion}.`, suggestion)
  }
  reportProblem(checker, 'expr.type', span, message)
}

/** The function that converts a value of unknown type, by the type that is needed. */
const converted: Readonly<Partial<Record<TypedExpression['type']['kind'], string>>> = {
  ...{
    decimal: 'number',
    text: 'text',
    boolean: 'boolean',
    date: 'date',
    datetime: 'datetime',
    list: 'list',
  },
}

function checkIn(checker: Checker, { left, right }: Binary): void {
  const list = right.type
  if (isFlexibleType(list)) return
  if (list.kind !== 'list') {
    const suggestion =
      list.kind === 'text' ? `${receiverText(checker, right)}.contains(${textOf(checker, left)})` : undefined
    const way =
      list.kind === 'unknown'
        ? `write list(${textOf(checker, right)})`
        : suggestion === undefined
          ? 'write a list, such as ["DE", "AT"]'
          : `write ${suggestion}`
    return reportProblem(
      checker,
      'expr.type',
      right,
      `"in" needs a list on its right; this is a ${typeName(list)}: ${way}.`,
    )
  }
  const whole = uncomparable[list.of.kind]
  if (whole !== undefined) {
    const way = `Test its items: write ${receiverText(checker, right)}.exists(x, …).`
    return reportProblem(checker, 'expr.type', right, `"in" cannot compare a ${typeName(list.of)}. ${way}`)
  }
  if (!isCompatible(left.type, list.of))
    reportProblem(checker, 'expr.type', left, `A ${typeName(left.type)} is never in a ${typeName(list)}.`)
}

export function checkLogic(
  checker: Checker,
  node: ASTNode,
  op: 'and' | 'or',
  args: readonly [ASTNode, ASTNode],
): TypedExpression {
  const [left, right] = [condition(checker, args[0]), condition(checker, args[1])]
  return { op, left, right, type: booleanType, ...spanOf(node) }
}

export function checkNot(checker: Checker, node: ASTNode, of: ASTNode): TypedExpression {
  return { op: 'not', of: condition(checker, of), type: booleanType, ...spanOf(node) }
}

export function checkNegate(checker: Checker, node: ASTNode, arg: ASTNode): TypedExpression {
  const of = checker.value(checker, arg)
  if (!isCompatible(of.type, decimalType))
    reportProblem(
      checker,
      'expr.type',
      of,
      `A minus takes a number; this is a ${typeName(of.type)}.${asNumber(checker, of)}`,
    )
  return { op: 'negate', of, type: decimalType, ...spanOf(node) }
}

export function checkChoice(
  checker: Checker,
  node: ASTNode,
  args: readonly [ASTNode, ASTNode, ASTNode],
): TypedExpression {
  const when = condition(checker, args[0])
  const then = checker.value(checker, args[1])
  const otherwise = checker.value(checker, args[2])
  const type = commonType(then.type, otherwise.type)
  const span = spanOf(node)
  if (type === null)
    return reportMistake(
      checker,
      'expr.type',
      otherwise,
      `Both branches of "? :" must have the same type: the first is a ${typeName(then.type)}, the second a ${typeName(otherwise.type)}.`,
      { node: span, parts: [when, then, otherwise] },
    )
  return { op: 'choose', when, then, otherwise, type, ...span }
}

/** Checks a boolean operand. */
export function condition(checker: Checker, node: ASTNode): TypedExpression {
  const typed = checker.value(checker, node)
  if (!isCompatible(typed.type, booleanType))
    reportProblem(
      checker,
      'expr.type',
      typed,
      `A condition must be true or false; this is a ${typeName(typed.type)}: compare it with a value.`,
    )
  return typed
}
