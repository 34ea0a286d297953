// Checks the operand types of operators, and suggests what to write if they do not match.
import { formatDecimal, isDecimal } from '../../decimal/decimal.ts'
import type { ASTNode } from '../parse.ts'
import { booleanType, compatible, decimalType, isOpen, join, textType, typeName } from '../type-names.ts'
import type { BinaryOperator, Typed } from '../typed.ts'
import { mistake, receiverText, report, textOf, type Checker } from './checker.ts'
import { spanOf } from './span.ts'

const ordered: ReadonlySet<string> = new Set(['decimal', 'text', 'date', 'datetime'])
const arithmetic: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%'])

export function checkBinary(
  checker: Checker,
  node: ASTNode,
  operator: BinaryOperator,
  args: readonly [ASTNode, ASTNode],
): Typed {
  const left = checker.value(checker, args[0])
  const right = checker.value(checker, args[1])
  const binary = { op: 'binary' as const, operator, left, right, ...spanOf(node) }
  if (arithmetic.has(operator)) return { ...binary, type: checkArithmetic(checker, binary) }
  if (operator === 'in') checkIn(checker, binary)
  else checkComparison(checker, binary)
  return { ...binary, type: booleanType }
}

type Binary = { operator: BinaryOperator; left: Typed; right: Typed; start: number; end: number }

function checkArithmetic(checker: Checker, { operator, left, right, ...span }: Binary): Typed['type'] {
  const [a, b] = [left.type, right.type]
  const isText = a.kind === 'text' || b.kind === 'text'
  if (operator === '+' && isText && compatible(a, textType) && compatible(b, textType)) return textType
  if (compatible(a, decimalType) && compatible(b, decimalType)) {
    if ((operator === '/' || operator === '%') && isZero(right))
      report(checker, 'expr.type', right, `Division by zero: "${operator}" needs a different number here.`)
    return decimalType
  }
  const [first, second] = [textOf(checker, left), textOf(checker, right)]
  const say = (message: string, suggestion?: string): void =>
    report(checker, 'expr.type', span, message, suggestion)
  if (operator === '+' && isText) {
    const other = a.kind === 'text' ? right : left
    say(`A text and a ${typeName(other.type)} cannot be added: write text(${textOf(checker, other)}).`)
    return textType
  }
  if (a.kind === 'date' && b.kind === 'decimal' && (operator === '+' || operator === '-')) {
    const suggestion = `addDays(${first}, ${operator === '-' ? `-(${second})` : second})`
    say(`A function adds days to a date: write ${suggestion}.`, suggestion)
    return a
  }
  if (a.kind === 'date' && b.kind === 'date' && operator === '-') {
    const suggestion = `daysBetween(${second}, ${first})`
    say(`A function counts the days between two dates: write ${suggestion}.`, suggestion)
    return decimalType
  }
  const wrong = compatible(a, decimalType) ? right : left
  report(
    checker,
    'expr.type',
    wrong,
    `"${operator}" takes numbers; this is a ${typeName(wrong.type)}.${asNumber(checker, wrong)}`,
  )
  return decimalType
}

function isZero(node: Typed): boolean {
  return node.op === 'literal' && isDecimal(node.value) && formatDecimal(node.value) === '0'
}

function asNumber(checker: Checker, node: Typed): string {
  return node.type.kind === 'text' ? ` Convert it with number(${textOf(checker, node)}).` : ''
}

function checkComparison(checker: Checker, { operator, left, right, ...span }: Binary): void {
  const absent = [left, right].find(({ type }) => type.kind === 'absent')
  if (absent !== undefined) return reportAbsent(checker, operator, absent === left ? right : left, span)
  if (!compatible(left.type, right.type)) return reportIncomparable(checker, operator, left, right, span)
  const isEquality = operator === '==' || operator === '!='
  const type = isOpen(left.type) ? right.type : left.type
  if (isOpen(type)) return
  if (type.kind === 'list')
    report(
      checker,
      'expr.type',
      span,
      'Lists cannot be compared as a whole: test their items, for example with all or exists.',
    )
  else if (!isEquality && !ordered.has(type.kind))
    report(
      checker,
      'expr.type',
      span,
      `Values of type ${typeName(type)} have no order: compare them with == or !=.`,
    )
}

function reportAbsent(
  checker: Checker,
  operator: BinaryOperator,
  other: Typed,
  span: { start: number; end: number },
): void {
  const test = `present(${textOf(checker, other)})`
  const suggestion = operator === '==' ? `!${test}` : operator === '!=' ? test : undefined
  const way = suggestion ?? test
  report(checker, 'expr.type', span, `A comparison with null is always false: write ${way}.`, suggestion)
}

function reportIncomparable(
  checker: Checker,
  operator: BinaryOperator,
  left: Typed,
  right: Typed,
  span: { start: number; end: number },
): void {
  const pair = [left, right]
  const message = `A ${typeName(left.type)} and a ${typeName(right.type)} cannot be compared with "${operator}".`
  const asDate = pair.find(({ type }) => type.kind === 'text' || type.kind === 'datetime')
  if (pair.some(({ type }) => type.kind === 'date') && asDate !== undefined) {
    const suggestion = `date(${textOf(checker, asDate)})`
    return report(checker, 'expr.type', asDate, `${message} Write ${suggestion}.`, suggestion)
  }
  const text = pair.find(({ type }) => type.kind === 'text')
  if (pair.some(({ type }) => type.kind === 'decimal') && text !== undefined) {
    const literal = text.op === 'literal' && typeof text.value === 'string' ? text.value : null
    const isNumber = literal !== null && /^-?[0-9]+(\.[0-9]+)?$/.test(literal)
    const suggestion = isNumber ? literal : `number(${textOf(checker, text)})`
    return report(checker, 'expr.type', text, `${message} Write ${suggestion}.`, suggestion)
  }
  report(checker, 'expr.type', span, message)
}

function checkIn(checker: Checker, { left, right }: Binary): void {
  const list = right.type
  if (isOpen(list)) return
  if (list.kind !== 'list') {
    const suggestion =
      list.kind === 'text' ? `${receiverText(checker, right)}.contains(${textOf(checker, left)})` : undefined
    const way = suggestion === undefined ? 'write a list, such as ["DE", "AT"]' : `write ${suggestion}`
    return report(
      checker,
      'expr.type',
      right,
      `"in" needs a list on its right; this is a ${typeName(list)}: ${way}.`,
    )
  }
  if (!compatible(left.type, list.of))
    report(checker, 'expr.type', left, `A ${typeName(left.type)} is never in a ${typeName(list)}.`)
}

export function checkLogic(
  checker: Checker,
  node: ASTNode,
  op: 'and' | 'or',
  args: readonly [ASTNode, ASTNode],
): Typed {
  const [left, right] = [condition(checker, args[0]), condition(checker, args[1])]
  return { op, left, right, type: booleanType, ...spanOf(node) }
}

export function checkNot(checker: Checker, node: ASTNode, of: ASTNode): Typed {
  return { op: 'not', of: condition(checker, of), type: booleanType, ...spanOf(node) }
}

export function checkNegate(checker: Checker, node: ASTNode, arg: ASTNode): Typed {
  const of = checker.value(checker, arg)
  if (!compatible(of.type, decimalType))
    report(
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
): Typed {
  const when = condition(checker, args[0])
  const then = checker.value(checker, args[1])
  const otherwise = checker.value(checker, args[2])
  const type = join(then.type, otherwise.type)
  const span = spanOf(node)
  if (type === null)
    return mistake(
      checker,
      'expr.type',
      otherwise,
      `Both branches of "? :" must have the same type: the first is a ${typeName(then.type)}, the second a ${typeName(otherwise.type)}.`,
      { node: span, parts: [when, then, otherwise] },
    )
  return { op: 'choose', when, then, otherwise, type, ...span }
}

/** Checks a boolean operand. */
export function condition(checker: Checker, node: ASTNode): Typed {
  const typed = checker.value(checker, node)
  if (!compatible(typed.type, booleanType))
    report(
      checker,
      'expr.type',
      typed,
      `A condition must be true or false; this is a ${typeName(typed.type)}: compare it with a value.`,
    )
  return typed
}
