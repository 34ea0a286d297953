// Checks an expression when it is written: a filter can use only what the source of a virtual object, or the database, can
// apply, and no expression reads rows of a source along a reference.
import type { ExpressionSite } from '../components/expression-slot.ts'
import type { ComponentView } from '../components/view.ts'
import { filterProblems } from './filter.ts'
import type { Library } from './library.ts'
import { objectOf, scopeOf } from './names.ts'
import type { ExprProblem } from './problem.ts'
import { remoteRefusals } from './remote-filter.ts'
import { walk, type FieldStep, type Span, type TypedExpression } from './typed-tree.ts'

export function pushdownProblems(
  tree: TypedExpression,
  source: string,
  { site, library, compiles }: { site: ExpressionSite; library: Library; compiles: boolean },
): ExprProblem[] {
  const { view } = library
  const object = filteredObject(site)
  if (object === null) return readsOfVirtual(tree, site, view)
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
  return remoteRefusals(tree, source, library, compiles).map((refusal) =>
    problem(
      refusal,
      `${object} is virtual, and its source ${dataSource.key} cannot filter by ${refusal.what}.`,
    ),
  )
}

/** Returns the object whose rows are filtered; null for any other site. */
function filteredObject(site: ExpressionSite): string | null {
  if (site.kind === 'list_filter' || site.kind === 'sharing_rule') return site.object
  return site.kind === 'rollup_filter' ? site.child : null
}

/** Reports a filter over stored rows that reads rows that are not stored. */
function throughVirtual(tree: TypedExpression, object: string, view: ComponentView): ExprProblem[] {
  return virtualSteps(tree, view).map(({ node, step }) =>
    problem(
      node,
      `${step.object} is virtual, so its field ${step.field} is not stored with ${object} and cannot filter it. ` +
        `Filter by fields of ${object}, or ingest ${step.object} into a local object.`,
    ),
  )
}

/** Reports any other expression that would have to call a source to read a row along a reference. */
function readsOfVirtual(tree: TypedExpression, site: ExpressionSite, view: ComponentView): ExprProblem[] {
  const { title } = scopeOf(site)
  return virtualSteps(tree, view).map(({ node, step }) =>
    problem(
      node,
      `${step.object} is virtual: its rows are not stored here, so ${title} cannot read its field ${step.field}. ` +
        `Ingest ${step.object} into a local object, or show the field in a list view or a layout.`,
    ),
  )
}

/** The fields along references that are fields of virtual objects. */
function virtualSteps(tree: TypedExpression, view: ComponentView): { node: Span; step: FieldStep }[] {
  return [...walk(tree)].flatMap((node) => {
    if (node.op !== 'field') return []
    const step = node.steps.slice(1).find((each) => isVirtual(each.object, view))
    return step === undefined ? [] : [{ node, step }]
  })
}

const isVirtual = (object: string, view: ComponentView): boolean =>
  objectOf(view, object)?.body.storage === 'external'

function problem({ start, end }: Span, message: string): ExprProblem {
  return { code: 'expr.not_pushed_down', message, start, end }
}
