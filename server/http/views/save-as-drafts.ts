// Saves a change list as drafts, for review before an apply.
import { idOf, type ComponentId } from '#kernel/components/component.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { visibleDraftBriefs, fileText, type DraftSave } from '../../pipeline/index.ts'
import type { CompanionWrite } from '../../ports/companion-writes.ts'
import type { SignedInRequest } from '../route.ts'

type CallerContext = Pick<SignedInRequest<unknown, unknown, unknown>, 'services' | 'by' | 'viewer'>

interface DraftChanges {
  components: readonly Component[]
  removals: readonly ComponentId[]
  /** The changes that existing drafts already contain; these drafts keep their text. */
  existingDrafts?: ReadonlySet<ComponentId>
}

/** Returns the ids of the resulting drafts. Saves all of them in one transaction, or none. */
export async function saveAsDrafts(
  { services, by, viewer }: CallerContext,
  { components, removals, existingDrafts = new Set() }: DraftChanges,
  companion?: CompanionWrite,
): Promise<ComponentId[]> {
  const shown = services.store.read((reader) => visibleDraftBriefs(reader, viewer))
  const versions = new Map(shown.map(({ id, version }) => [id, version]))
  const save = (id: ComponentId, text: string | null): DraftSave => ({
    id,
    text,
    version: versions.get(id) ?? 0,
    actor: by,
    viewer,
  })
  const saves = [
    ...components.map((component) => save(idOf(component), fileText(component))),
    ...removals.map((id) => save(id, null)),
  ]
  const saved = await services.org.saveDrafts(
    by,
    saves.filter(({ id }) => !existingDrafts.has(id)),
    companion,
  )
  const kept = saved.filter(({ unchanged }) => !unchanged)
  return [...existingDrafts, ...kept.map(({ draft }) => draft.id)]
}
