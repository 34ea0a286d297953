// Translates a boolean expression over a virtual object to conditions that its source applies
// (docs/reference/expressions.md). What the source would decide differently is refused.
import type { ExpressionSite } from '../components/expression-slot.ts'
import { checkExpression } from './check.ts'
import type { Library } from './library.ts'
import { scopeOf } from './names.ts'
import { isTree, parseExpression } from './parse.ts'
import type { ExprProblem } from './problem.ts'
import type { Constants } from './record-parts.ts'
import type { RemoteFilter } from './remote-condition.ts'
import { RemoteFilterBuilder } from './remote-filter-builder.ts'
import type { Span, TypedExpression } from './typed-tree.ts'

/** A filter before the parts that do not depend on the row are computed. */
export interface RemoteFilterPlan {
  /** @throws AlmanacError of the parts that are computed */
  filter(input: Constants): RemoteFilter
  /** The keys of the fields that it reads. */
  fields: ReadonlySet<string>
}

export type RemoteFilterResult =
  { ok: true; plan: RemoteFilterPlan } | { ok: false; problems: readonly ExprProblem[] }

/** @param source compiles without problems over this virtual object */
export function remoteFilterPlanOf(source: string, object: string, library: Library): RemoteFilterResult {
  const ast = parseExpression(source)
  if (!isTree(ast)) return { ok: false, problems: [ast] }
  const site: ExpressionSite = { kind: 'list_filter', object }
  const { tree } = checkExpression(source, ast, scopeOf(site), library.view, 'boolean')
  const builder = new RemoteFilterBuilder(source, library, true)
  const filter = builder.condition(tree)
  const { refused, fields } = builder
  if (refused.length === 0) return { ok: true, plan: { filter, fields } }
  const problems = refused.map(({ what, ...span }): ExprProblem => ({
    code: 'expr.not_pushed_down',
    message: `The source of ${object} cannot filter by ${what}.`,
    ...span,
  }))
  return { ok: false, problems }
}

/** What the source cannot apply. @param compiles whether the tree has no other problems */
export function remoteRefusals(
  tree: TypedExpression,
  source: string,
  library: Library,
  compiles: boolean,
): readonly (Span & { what: string })[] {
  const builder = new RemoteFilterBuilder(source, library, compiles)
  builder.condition(tree)
  return builder.refused
}
