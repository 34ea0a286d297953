// The users who wrote each component of a change list, if a draft records them: nobody can approve what they drafted,
// even if another user submits it.
import { isSameContent } from '#kernel/change/value-diff.ts'
import { idOf, type ComponentId } from '#kernel/components/component.ts'
import type { Component } from '#kernel/components/body-types.ts'
import type { Contributor } from '#kernel/requests/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { DraftRow } from '#wire/index.ts'
import type { LoadedChanges } from './change-source.ts'
import { visibleDrafts } from './draft-access.ts'
import { parseDraft } from './parse-draft.ts'

/**
 * A component that was sent without its draft counts as drafted if its body equals that of the draft, regardless of its
 * label.
 */
export function writersOf(
  reader: OrgReader,
  { components, removals, drafts }: LoadedChanges,
): Map<ComponentId, readonly Contributor[]> {
  const writers = new Map<ComponentId, readonly Contributor[]>(
    drafts.map((draft) => [draft.id, draft.writers]),
  )
  const sent = new Map<ComponentId, Component | null>(removals.map((id) => [id, null]))
  for (const { component } of components) sent.set(idOf(component), component)
  for (const draft of visibleDrafts(reader, null)) {
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
  return drafted !== undefined && isSameContent(drafted.body, sent.body)
}
