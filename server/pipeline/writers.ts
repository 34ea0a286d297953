// Who wrote each component of a change list, if a draft says so: nobody approves what they drafted, even if another user submits it.
import { idOf, type ComponentId } from '#kernel/components/component.ts'
import type { Component } from '#kernel/components/body-types.ts'
import type { Writer } from '#kernel/requests/index.ts'
import type { DraftRow, OrgReader } from '../ports/org-store.ts'
import type { GivenChanges } from './change-source.ts'
import { fileText } from './directory-layout.ts'
import { shownDrafts } from './draft-access.ts'
import { parseDraft } from './parse-draft.ts'

/** A component that was sent without its draft counts as drafted if it has the content of the draft. */
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
    if (contentOf(draft) === (component && fileText(component))) writers.set(draft.id, draft.writers)
  }
  return writers
}

/** As the file of the component has it; null if the draft removes it, undefined if it cannot be read. */
function contentOf(draft: DraftRow): string | null | undefined {
  if (draft.text === null) return null
  const component = parseDraft(draft).parsed?.component
  return component === undefined ? undefined : fileText(component)
}
