// What a formula may give beyond its type: a value of the field's value set, a record of the object that the field
// points at (specification 2.1, 7; completions 1).
import type { ExpressionSite } from '../components/expression-slot.ts'
import type { ComponentView } from '../components/view.ts'
import { nearestName } from './check/checker.ts'
import { fieldOf } from './names.ts'
import type { ExprProblem } from './problem.ts'
import { compatible, typeName } from './type-names.ts'
import type { Typed } from './typed.ts'

export function resultProblems(tree: Typed, site: ExpressionSite, view: ComponentView): ExprProblem[] {
  if (site.kind !== 'stored_formula' && site.kind !== 'virtual_formula') return []
  const field = fieldOf(view, site.object, site.field)
  if (field?.formula === undefined) return []
  if (field.type === 'enum' && field.valueSet !== undefined) return enumProblems(tree, field.valueSet, view)
  return field.type === 'reference' && field.references !== undefined
    ? referenceProblems(tree, field.references)
    : []
}

function enumProblems(tree: Typed, valueSet: string, view: ComponentView): ExprProblem[] {
  const values = view.get('value_set', valueSet)?.body.values.map(({ key }) => key)
  if (values === undefined) return []
  const problems: ExprProblem[] = []
  for (const { value, start, end } of constantsOf(tree)) {
    if (values.includes(value)) continue
    const nearest = nearestName(problems, value, values)
    const list = values.slice(0, 12).join(', ')
    const way = nearest === null ? ` Its values are ${list}.` : ` Did you mean "${nearest}"?`
    const message = `"${value}" is no value of ${valueSet}, from which the field takes its values.${way}`
    const problem: ExprProblem = { code: 'expr.unknown_name', message, start, end }
    problems.push(nearest === null ? problem : { ...problem, suggestion: JSON.stringify(nearest) })
  }
  return problems
}

function referenceProblems(tree: Typed, object: string): ExprProblem[] {
  const way = `Give a reference of the record, such as a field that points at ${object}.`
  const problem = ({ start, end }: { start: number; end: number }, message: string): ExprProblem => ({
    code: 'expr.result_type',
    message: `${message} ${way}`,
    start,
    end,
  })
  if (!compatible(tree.type, { kind: 'record', object }))
    return [problem(tree, `The result must be a ${object}; this is a ${typeName(tree.type)}.`)]
  return constantsOf(tree).map((constant) =>
    problem(constant, `The result must be a ${object}; "${constant.value}" is a text and no record.`),
  )
}

interface Constant {
  value: string
  start: number
  end: number
}

/** Texts that stand where the result comes from: as it is, in a choice, as what is taken where nothing is there. */
function constantsOf(node: Typed): Constant[] {
  switch (node.op) {
    case 'literal':
      return typeof node.value === 'string' ? [{ value: node.value, start: node.start, end: node.end }] : []
    case 'choose':
      return [...constantsOf(node.then), ...constantsOf(node.otherwise)]
    case 'builtin':
      return node.builtIn.name === 'coalesce' ? node.args.flatMap(constantsOf) : []
    default:
      return []
  }
}
