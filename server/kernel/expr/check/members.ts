// Checks members of objects and items of lists, and refuses `config.vat["DE"]`, which has a form of its own.
import type { ExprType } from '../../components/expression-slot.ts'
import { typeOfMember, membersOfType } from '../service-values.ts'
import { dynType, decimalType, isCompatible, typeName } from '../type-names.ts'
import type { ASTNode } from '../parse.ts'
import type { RowNode, Span, TypedExpression } from '../typed-tree.ts'
import { reportMistake, reportProblem, textOf, unknownName, type Checker } from './checker.ts'
import { spanOf } from './span.ts'

type NodeOf<O extends ASTNode['op']> = Extract<ASTNode, { op: O }>

const kinds: readonly ExprType['kind'][] = ['object', 'call_result', 'unknown', 'dyn', 'absent']

/** Whether the members of a value can be read; of a missing value, to report it. */
export function hasMembers({ kind }: ExprType): boolean {
  return kinds.includes(kind)
}

/** @param at span of the name, `span` of the whole path */
export function memberNode(
  checker: Checker,
  of: TypedExpression,
  member: string,
  span: Span,
  at: Span,
): TypedExpression {
  const options = { node: span, parts: [of] }
  if (of.type.kind === 'absent')
    return reportMistake(
      checker,
      'expr.type',
      of,
      `${textOf(checker, of)} is always missing, so it has no "${member}".`,
      options,
    )
  const type = typeOfMember(checker.view, of.type, member)
  if (type !== null) return { op: 'member', of, member, name: at, type, ...span }
  const keys = membersOfType(checker.view, of.type).map(({ key }) => key)
  return unknownName(checker, at, `A ${typeName(of.type)} has no "${member}".`, member, keys, options)
}

/** `list[0]`, or `object["name"]` for a member whose name is not an identifier. */
export function checkIndex(checker: Checker, node: NodeOf<'[]'>): TypedExpression {
  const of = checker.check(checker, node.args[0])
  const at = checker.value(checker, node.args[1])
  const span = spanOf(node)
  if (of.op === 'row') return refuseKeyInBrackets(checker, of as TypedExpression<RowNode>, at, span)
  const parts = [of, at]
  if (of.op === 'error' || at.op === 'error') return { op: 'error', parts, type: dynType, ...span }
  if (at.op === 'literal' && typeof at.value === 'string' && hasMembers(of.type))
    return memberNode(checker, of, at.value, span, at)
  const { kind } = of.type
  if (kind !== 'list' && kind !== 'unknown' && kind !== 'dyn') {
    const way = hasMembers(of.type) ? ' Write the name of a member in quotes.' : ''
    return reportMistake(
      checker,
      'expr.type',
      of,
      `[…] reads an item of a list; this is a ${typeName(of.type)}.${way}`,
      { node: span, parts },
    )
  }
  if (!isCompatible(at.type, decimalType))
    reportProblem(
      checker,
      'expr.type',
      at,
      `The position in a list is a number, from 0; this is a ${typeName(at.type)}.`,
    )
  return { op: 'index', of, at, type: of.type.kind === 'list' ? of.type.of : of.type, ...span }
}

/** Refuses `config.vat["DE"]`, the form that people try first, and suggests the right one. */
function refuseKeyInBrackets(
  checker: Checker,
  row: TypedExpression<RowNode>,
  key: TypedExpression,
  span: Span,
): TypedExpression {
  const suggestion = `config.${row.set}(${textOf(checker, key)})`
  checker.problems.splice(
    0,
    Infinity,
    ...checker.problems.filter(
      ({ code, start, end }) => !(code === 'expr.set_key' && start === row.start && end === row.end),
    ),
  )
  return reportMistake(
    checker,
    'expr.set_key',
    span,
    `The key of a set is written in parentheses: ${suggestion}.`,
    { parts: [row, key], suggestion },
  )
}
