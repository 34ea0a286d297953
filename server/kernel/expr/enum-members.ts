// Finds the members of value sets that an expression names: texts compared with an enum, used as a key, or as the
// result.
import type { ExpressionSite } from '../components/expression-slot.ts'
import { valuesByKey } from '../components/value-set/members.ts'
import type { ComponentView } from '../components/view.ts'
import { nearestName } from './check/checker.ts'
import { fieldOf } from './names.ts'
import type { ExprProblem } from './problem.ts'
import { resultField } from './result-field.ts'
import { walk, type Span, type TypedExpression } from './typed-tree.ts'

export interface NamedMember extends Span {
  valueSet: string
  /** The text; not always a member of the set. */
  value: string
}

/** Returns every text that names a member of a value set, in the order of the tree. */
export function namedMembers(
  tree: TypedExpression,
  site: ExpressionSite,
  view: ComponentView,
): NamedMember[] {
  const members = new Map<string, NamedMember>()
  // The view is read only if there is a text: most expressions have none.
  const add = (constants: readonly Constant[], setsOf: () => Iterable<string>): void => {
    if (constants.length === 0) return
    for (const valueSet of setsOf())
      for (const constant of constants)
        members.set(`${constant.start} ${valueSet}`, { valueSet, ...constant })
  }
  for (const node of walk(tree)) {
    if (node.op === 'row' && node.key !== null) {
      const { set } = node
      add(constantsOf(node.key), () => keyValueSet(set, view))
    }
    if (node.op !== 'binary') continue
    const { left, right } = node
    add(constantsOf(right), () => valueSetsOf(left, view))
    add(constantsOf(left), () => valueSetsOf(right, view))
  }
  add(constantsOf(tree), () => enumOf(resultField(site, view)))
  return [...members.values()]
}

/** Returns one problem for each named text that its value set does not contain, with the nearest member. */
export function memberProblems(
  tree: TypedExpression,
  site: ExpressionSite,
  view: ComponentView,
): ExprProblem[] {
  const problems: ExprProblem[] = []
  for (const { valueSet, value, start, end } of namedMembers(tree, site, view)) {
    const set = view.get('value_set', valueSet)
    if (set === undefined || valuesByKey(set).has(value)) continue
    const values = [...valuesByKey(set).keys()]
    const nearest = nearestName(problems, value, values)
    const way = nearest === null ? ` Its values are ${listOf(values)}.` : ` Did you mean "${nearest}"?`
    const message = `"${value}" is not a value of ${valueSet}.${values.length === 0 ? '' : way}`
    const problem: ExprProblem = { code: 'expr.unknown_name', message, start, end }
    problems.push(nearest === null ? problem : { ...problem, suggestion: JSON.stringify(nearest) })
  }
  return problems
}

/** The maximum number of values that a message names; the rest are counted. */
const mostNamed = 12

function listOf(values: readonly string[]): string {
  const rest = values.length - mostNamed
  return `${values.slice(0, mostNamed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** Returns the value sets of a value; none if it is not an enum. */
function valueSetsOf(node: TypedExpression, view: ComponentView): string[] {
  switch (node.op) {
    case 'field': {
      const last = node.steps.at(-1)!
      return enumOf(fieldOf(view, last.object, last.field))
    }
    case 'config':
      return enumOf(view.get('config_set', node.row.set)?.body.fields.find(({ key }) => key === node.field))
    case 'choose':
      return [...valueSetsOf(node.then, view), ...valueSetsOf(node.otherwise, view)]
    case 'builtin':
      return node.builtIn.name === 'coalesce' ? node.args.flatMap((arg) => valueSetsOf(arg, view)) : []
    case 'list':
      return node.items.flatMap((item) => valueSetsOf(item, view))
    default:
      return []
  }
}

function keyValueSet(set: string, view: ComponentView): string[] {
  const valueSet = view.get('config_set', set)?.body.keyedBy?.valueSet
  return valueSet === undefined ? [] : [valueSet]
}

const enumOf = (field: { type: string; valueSet?: string } | null | undefined): string[] =>
  field?.type === 'enum' && field.valueSet !== undefined ? [field.valueSet] : []

export interface Constant extends Span {
  value: string
}

/** Returns the literal texts that a value can take: directly, in a choice, as a fallback of coalesce, in a list. */
export function constantsOf(node: TypedExpression): Constant[] {
  switch (node.op) {
    case 'literal':
      return typeof node.value === 'string' ? [{ value: node.value, start: node.start, end: node.end }] : []
    case 'choose':
      return [...constantsOf(node.then), ...constantsOf(node.otherwise)]
    case 'builtin':
      return node.builtIn.name === 'coalesce' ? node.args.flatMap(constantsOf) : []
    case 'list':
      return node.items.flatMap(constantsOf)
    default:
      return []
  }
}
