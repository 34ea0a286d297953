// Checks a filter when it is written: it can use only what the source of a virtual object, or the database, can apply.
import type { ExpressionSite } from '../components/expression-slot.ts'
import type { ComponentView } from '../components/view.ts'
import { filterProblems } from './filter.ts'
import { readsResolverOf, type Library } from './library.ts'
import { fieldOf, objectOf } from './names.ts'
import type { ExprProblem } from './problem.ts'
import { partsOf, walk, type Span, type TypedExpression } from './typed-tree.ts'

export function pushdownProblems(
  tree: TypedExpression,
  source: string,
  { site, library, compiles }: { site: ExpressionSite; library: Library; compiles: boolean },
): ExprProblem[] {
  const object = filteredObject(site)
  if (object === null) return []
  const { view } = library
  const body = objectOf(view, object)?.body
  if (body?.storage !== 'external') {
    const virtual = throughVirtual(tree, object, view)
    // A roll-up reads the children of one record, and evaluates its filter itself. The database gets a plan of a filter
    // that compiles.
    return virtual.length > 0 || site.kind === 'rollup_filter' || !compiles
      ? virtual
      : filterProblems(tree, source, library)
  }
  const dataSource = view.get('external_data_source', body.dataSource)
  // The reference to a source that does not exist is reported elsewhere.
  if (dataSource === undefined) return []
  if (!dataSource.body.pushdown.filter)
    return [
      problem(
        tree,
        `${object} is virtual, and its source ${dataSource.key} cannot filter: "pushdown.filter" is false. ` +
          `Remove the filter, or set pushdown.filter of external_data_source/${dataSource.key} if the service can filter.`,
      ),
    ]
  return new PushdownChecker(object, dataSource.key, library).problems(tree)
}

/** Returns the object whose rows are filtered; null for any other site. */
function filteredObject(site: ExpressionSite): string | null {
  if (site.kind === 'list_filter' || site.kind === 'sharing_rule') return site.object
  return site.kind === 'rollup_filter' ? site.child : null
}

/** Reports a filter over stored rows that reads rows that are not stored. */
function throughVirtual(tree: TypedExpression, object: string, view: ComponentView): ExprProblem[] {
  return [...walk(tree)].flatMap((node) => {
    if (node.op !== 'field') return []
    const step = node.steps.slice(1).find((each) => isVirtual(each.object, view))
    if (step === undefined) return []
    const message =
      `${step.object} is virtual, so its field ${step.field} is not stored with ${object} and cannot filter it. ` +
      `Filter by fields of ${object}, or ingest ${step.object} into a local object.`
    return [problem(node, message)]
  })
}

const isVirtual = (object: string, view: ComponentView): boolean =>
  objectOf(view, object)?.body.storage === 'external'

/** Built-in functions that OData 4 has, with the same meaning. */
const odataFunctions: ReadonlySet<string> = new Set([
  'present',
  'contains',
  'startsWith',
  'endsWith',
  'lower',
  'upper',
  'trim',
  'substring',
  'size',
  'year',
  'month',
  'day',
  'floor',
  'ceil',
])

/** Why other functions that people try are not in the list. */
const reasons: Readonly<Record<string, string>> = {
  matches: 'OData 4 has no regular expressions; use startsWith, endsWith or contains',
  round:
    'OData 4 rounds only to whole numbers, and rounds halves differently; compare with the bounds of the range',
  coalesce: 'OData 4 has no coalesce; test present(…) and compare separately',
  addDays: 'OData 4 cannot count days; compute the date on the other side of the comparison',
  addMonths: 'OData 4 cannot count months; compute the date on the other side of the comparison',
  daysBetween: 'OData 4 cannot count days; compare the two dates',
}

class PushdownChecker {
  readonly #object: string
  readonly #source: string
  readonly #library: Library

  constructor(object: string, source: string, library: Library) {
    this.#object = object
    this.#source = source
    this.#library = library
  }

  problems(node: TypedExpression): ExprProblem[] {
    // Parts that do not depend on the row are computed before the source is queried.
    if (!this.#readsRow(node)) return []
    switch (node.op) {
      case 'field':
        return this.#field(node)
      case 'record_id':
        return [this.#refused(node, 'the id; filter by the field of the source that it comes from')]
      case 'and':
      case 'or':
      case 'not':
      case 'negate':
        return this.#parts(node)
      case 'binary':
        return node.operator === '/'
          ? [
              this.#refused(
                node,
                '"/": OData 4 divides whole numbers without a remainder; multiply the other side',
              ),
            ]
          : [node.left, node.right].flatMap((side) =>
              node.operator === 'in' && side.op === 'list' ? this.#parts(side) : this.problems(side),
            )
      case 'builtin':
        return this.#call(node)
      case 'calc':
        return [
          this.#refused(
            node,
            `the calc function ${node.function}, which exists only here; write out its condition`,
          ),
        ]
      case 'row':
      case 'config':
        return [
          this.#refused(
            node,
            'configuration that depends on the row; read it with a fixed key, from a set without dates',
          ),
        ]
      case 'choose':
        return [this.#refused(node, 'a conditional "? :"; write it with && and ||')]
      case 'macro':
        return [this.#refused(node, `${node.macro}; write out the conditions with && and ||`)]
      case 'list':
        return [this.#refused(node, 'a list of fields; write out the conditions with ||')]
      default:
        return []
    }
  }

  #parts(node: TypedExpression): ExprProblem[] {
    return partsOf(node).flatMap((part) => this.problems(part))
  }

  #field(node: TypedExpression & { op: 'field' }): ExprProblem[] {
    if (node.steps.length > 1)
      return [
        this.#refused(
          node,
          `a field of another object: the rows of ${this.#object} do not contain it; filter by a field of ${this.#object}`,
        ),
      ]
    const { object, field } = node.steps[0]!
    return fieldOf(this.#library.view, object, field)?.formula === undefined
      ? []
      : [this.#refused(node, `the formula ${field}, which is computed here; write out its condition`)]
  }

  #call(node: TypedExpression & { op: 'builtin' }): ExprProblem[] {
    const { name } = node.builtIn
    const argument = node.args[0]?.type.kind
    const isDay = name === 'date' && argument !== 'text'
    const isListSize = name === 'size' && argument === 'list'
    if ((odataFunctions.has(name) && !isListSize) || isDay) return this.#parts(node)
    return [
      this.#refused(
        node,
        `${name}(…): ${reasons[name] ?? 'OData 4 has no such function; compare the field itself'}`,
      ),
    ]
  }

  #refused(span: Span, what: string): ExprProblem {
    return problem(
      span,
      `${this.#object} is virtual, and its source ${this.#source} cannot filter by ${what}.`,
    )
  }

  /** Whether a value differs from row to row: it reads a field, or a set as of a date of the row. */
  #readsRow(node: TypedExpression): boolean {
    for (const each of walk(node)) {
      if (each.op === 'field' || each.op === 'record_id') return true
      if (each.op === 'row' && this.#isDated(each.set)) return true
      if (each.op !== 'calc') continue
      const sets = readsResolverOf(this.#library).ofFunction(each.function)?.deepSets ?? []
      if (sets.some(({ set }) => this.#isDated(set))) return true
    }
    return false
  }

  #isDated(set: string): boolean {
    return this.#library.view.get('config_set', set)?.body.effectiveDated === true
  }
}

function problem({ start, end }: Span, message: string): ExprProblem {
  return { code: 'expr.not_pushed_down', message, start, end }
}
