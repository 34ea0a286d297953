// Checks CEL's macros over lists: all, exists, exists_one, filter, map.
import type { ExprType } from '../../components/expression-slot.ts'
import type { ASTNode } from '../parse.ts'
import { booleanType, dynType, isFlexibleType, typeName } from '../type-names.ts'
import type { MacroName, Span, TypedExpression } from '../typed-tree.ts'
import { reportMistake, reportProblem, textOf, type Checker } from './checker.ts'
import { condition } from './operators.ts'

const names: ReadonlySet<string> = new Set<MacroName>(['all', 'exists', 'exists_one', 'map', 'filter'])

export function isMacro(name: string): name is MacroName {
  return names.has(name)
}

/** `list.all(x, test)`, `list.map(x, result)`, `list.map(x, test, result)` and the like. */
export function checkMacro(
  checker: Checker,
  macro: MacroName,
  receiver: ASTNode,
  args: readonly ASTNode[],
  span: Span,
): TypedExpression {
  const over = checker.value(checker, receiver)
  const [variable, ...rest] = args
  const isMap = macro === 'map'
  if (variable?.op !== 'id' || rest.length < 1 || rest.length > (isMap ? 2 : 1)) {
    const form = isMap ? 'list.map(x, result)' : `list.${macro}(x, test)`
    return reportMistake(checker, 'expr.arguments', span, `${macro} is written ${form}.`, { parts: [over] })
  }
  if (over.type.kind !== 'list' && !isFlexibleType(over.type))
    reportProblem(
      checker,
      'expr.type',
      over,
      `${macro} takes a list; this is a ${typeName(over.type)}.${over.type.kind === 'unknown' ? ` Write list(${textOf(checker, over)}).${macro}(…).` : ''}`,
    )
  const item: ExprType = over.type.kind === 'list' ? over.type.of : dynType
  const inner: Checker = { ...checker, locals: [...checker.locals, { name: variable.args, type: item }] }
  const test = isMap && rest.length === 1 ? null : condition(inner, rest[0]!)
  const result = isMap ? inner.value(inner, rest.at(-1)!) : null
  const type = typeOfMacro(macro, over.type, result)
  return { op: 'macro', macro, over, slot: checker.locals.length, test, result, type, ...span }
}

function typeOfMacro(macro: MacroName, over: ExprType, result: TypedExpression | null): ExprType {
  if (macro === 'map') return { kind: 'list', of: result?.type ?? dynType }
  return macro === 'filter' ? over : booleanType
}
