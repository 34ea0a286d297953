// Checks literals. Numbers are read from the source text, so they never pass through a binary float
// (docs/reference/bindings-and-evidence.md).
import { parseDecimal } from '../../decimal/decimal.ts'
import type { ASTNode } from '../parse.ts'
import { absentType, booleanType, decimalType, commonType, textType, dynType } from '../type-names.ts'
import type { ExprType } from '../../components/expression-slot.ts'
import { typeName } from '../type-names.ts'
import type { TypedExpression } from '../typed-tree.ts'
import { reportMistake, reportProblem, textOf, type Checker } from './checker.ts'
import { spanOf } from './span.ts'

type NodeOf<O extends ASTNode['op']> = Extract<ASTNode, { op: O }>

export function checkLiteral(checker: Checker, node: NodeOf<'value'>): TypedExpression {
  const span = spanOf(node)
  const value = node.args
  if (value === null) return { op: 'literal', value, type: absentType, ...span }
  if (typeof value === 'boolean') return { op: 'literal', value, type: booleanType, ...span }
  if (typeof value === 'string') {
    if (value.isWellFormed()) return { op: 'literal', value, type: textType, ...span }
    return reportMistake(
      checker,
      'expr.syntax',
      span,
      'This text contains half of a surrogate pair, which is not a character.',
    )
  }
  if (value instanceof Uint8Array)
    return reportMistake(
      checker,
      'expr.unsupported',
      span,
      'Bytes are not supported: write a text, "…", without the b.',
    )
  const written = textOf(checker, span)
  const decimal = parseDecimal(written)
  if (decimal === null)
    return reportMistake(
      checker,
      'expr.syntax',
      span,
      `"${written}" is not a plain number: write its digits, such as 1000 or 0.19.`,
    )
  return { op: 'literal', value: decimal, type: decimalType, ...span }
}

export function checkList(checker: Checker, node: NodeOf<'list'>): TypedExpression {
  const items = node.args.map((item) => checker.value(checker, item))
  let of: ExprType = absentType
  for (const item of items) {
    const joined = commonType(of, item.type)
    if (joined === null)
      reportProblem(
        checker,
        'expr.type',
        item,
        `All values of a list must have one type: this is a ${typeName(item.type)} among values of type ${typeName(of)}.`,
      )
    else of = joined
  }
  const type: ExprType = { kind: 'list', of: items.length === 0 ? dynType : of }
  return { op: 'list', items, type, ...spanOf(node) }
}
