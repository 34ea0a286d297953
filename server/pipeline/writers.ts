// The users who wrote each component of a change list, if a draft records them: nobody approves what they drafted, even
// if another user submits it.
import { sameContent } from '#kernel/change/value-diff.ts'
import { idOf, type ComponentId } from '#kernel/components/component.ts'
import type { Component } from '#kernel/components/body-types.ts'
import type { Writer } from '#kernel/requests/index.ts'
import type { DraftRow, OrgReader } from '../ports/org-store.ts'
import type { GivenChanges } from './change-source.ts'
import { shownDrafts } from './draft-access.ts'
import { parseDraft } from './parse-draft.ts'

/**
 * A component that was sent without its draft counts as drafted if its body equals that of the draft, regardless of its
 * label.
 */
export function writersOf(
  reader: OrgReader,
  { components, removals, drafts }: GivenChanges,
): Map<ComponentId, readonly Writer[]> {
  const writers = new Map<ComponentId, readonly Writer[]>(drafts.map((draft) => [draft.id, draft.writers]))
  const sent = new Map<ComponentId, Component | null>(removals.map((id) => [id, null]))
  for (const { component } of components) sent.set(idOf(component), component)
  for (const draft of shownDrafts(reader, null)) {
    const component = sent.get(draft.id)
    if (component === undefined || writers.has(draft.id)) continue
    if (hasBodyOf(draft, component)) writers.set(draft.id, draft.writers)
  }
  return writers
}

/** @param sent null if it is removed */
function hasBodyOf(draft: DraftRow, sent: Component | null): boolean {
  if (draft.text === null || sent === null) return draft.text === null && sent === null
  const drafted = parseDraft(draft).parsed?.component
  return drafted !== undefined && sameContent(drafted.body, sent.body)
}
