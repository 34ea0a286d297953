// The changes of a list to sets that its author does not see: checked as if the sets did not exist, or, if only their
// values are hidden, always reported as changed (docs/reference/access.md; docs/decisions.md).
import { buildCandidate, type Change } from '#kernel/change/index.ts'
import { validateCandidate, type ValidationContext } from '#kernel/change/validate.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { Viewer } from '../access/index.ts'
import type { UnseenComponents } from './visibility-partition.ts'

export interface UnseenChanges {
  changes: Change[]
  findings: Finding[]
  /** The view that they were checked on, including them. */
  view: ComponentView
  base: ComponentView
}

/** Findings that compare an entry with others of its set. */
const comparing = /^config\.(range_overlap|range_gap|range_end|tie)/

export function validateUnseenChanges(
  { components, removals, hiddenValues, removedValues }: UnseenComponents,
  viewer: Viewer,
  ground: ComponentView,
  context: ValidationContext,
): UnseenChanges {
  const base = viewer.narrow(ground)
  const candidate = buildCandidate(base, { components, removals })
  const { findings } = validateCandidate(candidate, base, context)
  const listedIds = new Set<string>([...candidate.changes.map(({ id }) => id), ...removals])
  const changes = candidate.changes.map((change): Change => {
    if (change.kind !== 'added' || !hiddenValues.has(change.id)) return change
    const { id, after, hints } = change
    return { kind: 'changed', id, before: after, after, values: [], hints }
  })
  return {
    changes: [...changes, ...removedValues.map(unseenRemoval)],
    findings: findings.filter(
      ({ component, code }) =>
        listedIds.has(component) && !(hiddenValues.has(component as ComponentId) && comparing.test(code)),
    ),
    view: candidate.view,
    base,
  }
}

/** A removal of a hidden component; it contains only the id. */
export function unseenRemoval(id: ComponentId): Change {
  const { type, key } = splitId(id)
  const body = { set: key.split('.')[0]!, scope: { kind: 'org' }, values: {}, read: {}, edit: {} }
  return { kind: 'removed', id, before: { type, key, label: '', body } as unknown as Component }
}
