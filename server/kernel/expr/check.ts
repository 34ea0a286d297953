// Turns a syntax tree into a typed tree and reports every problem of the expression, not only the first.
import type { ExprType, ParamType } from '../components/expression-slot.ts'
import type { ComponentView } from '../components/view.ts'
import { checkCall, checkMethod } from './check/calls.ts'
import { reportMistake, reportProblem, type Checker } from './check/checker.ts'
import { checkList, checkLiteral } from './check/literals.ts'
import { checkIndex } from './check/members.ts'
import { checkBinary, checkChoice, checkLogic, checkNegate, checkNot } from './check/operators.ts'
import { checkName, checkSelect, refuseRow } from './check/reads.ts'
import type { NameScope } from './names.ts'
import type { ASTNode } from './parse.ts'
import type { ExprProblem } from './problem.ts'
import { isCompatible, typeName, typeOfParam } from './type-names.ts'
import type { TypedExpression } from './typed-tree.ts'
import { spanOf } from './check/span.ts'

export interface CheckResult {
  tree: TypedExpression
  problems: ExprProblem[]
}

/** The maximum number of parts that all patterns of one expression can have together, with counts expanded. */
const MOST_PATTERN_PARTS = 20_000

/** Checks the types and names of a whole expression. `expects` is its required type; `any` accepts all but a row. */
export function checkExpression(
  source: string,
  ast: ASTNode,
  scope: NameScope,
  view: ComponentView,
  expects: ParamType | 'any' = 'any',
): CheckResult {
  const locals = scope.paramsArePassed
    ? scope.params.map(({ key, type }) => ({ name: key, type: typeOfParam(type) }))
    : []
  const checker: Checker = {
    ...{ source, view, scope, problems: [], locals },
    patterns: { left: MOST_PATTERN_PARTS },
    ...{ check: checkNode, value: checkValue },
  }
  const tree = checkValue(checker, ast)
  if (expects !== 'any' && !isCompatible(tree.type, typeOfParam(expects))) {
    const suggestion = conversion(expects, tree.type, source.slice(tree.start, tree.end))
    const way = suggestion === undefined ? '' : ` Write ${suggestion}.`
    reportProblem(
      checker,
      'expr.result_type',
      tree,
      `The result must be a ${expects}; this is a ${typeName(tree.type)}.${way}`,
      suggestion,
    )
  }
  return { tree, problems: checker.problems.sort((a, b) => a.start - b.start || a.end - b.end) }
}

function conversion(expects: ParamType, type: ExprType, source: string): string | undefined {
  if (type.kind === 'unknown') return `${expects}(${source})`
  if (expects === 'text' && ['decimal', 'date', 'datetime', 'boolean'].includes(type.kind))
    return `text(${source})`
  if (expects === 'number' && type.kind === 'text') return `number(${source})`
  return expects === 'date' && (type.kind === 'text' || type.kind === 'datetime')
    ? `date(${source})`
    : undefined
}

function checkValue(checker: Checker, node: ASTNode): TypedExpression {
  const typed = checkNode(checker, node)
  return typed.op === 'row' ? refuseRow(checker, typed) : typed
}

function checkNode(checker: Checker, node: ASTNode): TypedExpression {
  switch (node.op) {
    case 'value':
      return checkLiteral(checker, node)
    case 'id':
      return checkName(checker, node)
    case '.':
      return checkSelect(checker, node)
    case 'call':
      return checkCall(checker, node)
    case 'rcall':
      return checkMethod(checker, node)
    case 'list':
      return checkList(checker, node)
    case '?:':
      return checkChoice(checker, node, node.args)
    case '&&':
      return checkLogic(checker, node, 'and', node.args)
    case '||':
      return checkLogic(checker, node, 'or', node.args)
    case '!_':
      return checkNot(checker, node, node.args)
    case '-_':
      return checkNegate(checker, node, node.args)
    case '[]':
      return checkIndex(checker, node)
    case 'map':
    case '.?':
    case '[?]':
      return reportMistake(
        checker,
        'expr.unsupported',
        spanOf(node),
        'Maps and optional access are not supported in expressions.',
      )
    default:
      return checkBinary(checker, node, node.op, node.args)
  }
}
