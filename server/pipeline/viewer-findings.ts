// Findings of components in terms of what a viewer sees. An expression that names a hidden set is checked as if the set
// did not exist, so that neither a suggestion nor a missing finding reveals it (docs/reference/access.md).
import { RenameIndex, type Change } from '#kernel/change/index.ts'
import { componentFindings } from '#kernel/change/validate.ts'
import { isEntryId, type ComponentId } from '#kernel/components/component.ts'
import type { RuleContext } from '#kernel/components/define.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { ReferenceGraph } from '#kernel/graph/index.ts'
import { viewWithout, type Viewer } from '../access/index.ts'

export interface ValidatedChangeList {
  changes: readonly Change[]
  context: RuleContext
  graph: ReferenceGraph
}

/** @param of components whose own findings are computed over what is shown; entries are checked only by their set */
export function findingsForViewer(
  findings: readonly Finding[],
  viewer: Viewer | null,
  { changes, context, graph }: ValidatedChangeList,
  of: ReadonlySet<string> | 'all',
): Finding[] {
  if (viewer === null || viewer.canSeeAllDefinitions) return [...findings]
  const visibleView = visibleCandidate(context.view, changes, viewer)
  const ids = changes.flatMap(({ id, kind }): ComponentId[] =>
    kind === 'removed' || isEntryId(id) || (of !== 'all' && !of.has(id)) ? [] : [id],
  )
  if (visibleView === context.view || ids.length === 0) return [...findings]
  const whole = componentFindings(ids, context, graph)
  const seen = componentFindings(ids, { ...context, view: visibleView }, graph)
  const [wholeTexts, seenTexts] = [whole, seen].map((each) => new Set(each.map(identity)))
  const kept = findings.filter((each) => seenTexts!.has(identity(each)) || !wholeTexts!.has(identity(each)))
  return [...kept, ...seen.filter((each) => !wholeTexts!.has(identity(each)))]
}

/** A candidate without hidden sets and flags, by the names that the list gives them; what the list adds is shown. */
export function visibleCandidate(
  view: ComponentView,
  changes: readonly Change[],
  viewer: Viewer | null,
): ComponentView {
  if (viewer === null) return view
  const renames = new RenameIndex(changes)
  return viewWithout(view, (set) => {
    const before = renames.setBefore(set)
    return before !== null && viewer.has(before) && !viewer.visibility.canSeeDefinition(before)
  })
}

function identity({ code, component, path, message }: Finding): string {
  return JSON.stringify([code, component, path, message])
}
