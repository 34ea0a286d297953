// Keeps changes without applying them: as drafts of the org, or as component files.
import type { Component } from '#kernel/components/body-types.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import { ComponentFolder } from '../files/index.ts'
import { fileText, pathOf, visibleDrafts, type LazyList } from '../pipeline/index.ts'
import type { CompanionWrite } from '../ports/companion-writes.ts'
import type { LocalOrg } from './local-org.ts'
import type { ChangeView } from '#wire/index.ts'

/** Saves them in one transaction, together with `companion`; replaces a draft unless it is in `idsToKeep`. */
export async function saveDrafts(
  { org, by, viewer }: LocalOrg,
  changes: LazyList<ChangeView>,
  idsToKeep: ReadonlySet<ComponentId>,
  companion: CompanionWrite,
): Promise<void> {
  const shown = org.store.read((reader) => visibleDrafts(reader, viewer))
  const versions = new Map(shown.map(({ id, version }) => [id, version]))
  const changesToSave = Array.from(changes).filter(({ id }) => !idsToKeep.has(id))
  const saves = changesToSave.map(({ id, after }) => ({
    id,
    text: after === null ? null : fileText(after as Component),
    version: versions.get(id) ?? 0,
    actor: by,
    viewer,
  }))
  await org.saveDrafts(by, saves, companion)
}

/** Writes the changed components in the layout of a retrieve; a removal has no file. */
export function writeComponentFiles(dir: string, changes: LazyList<ChangeView>): void {
  // They may come from a server, so every path is checked before the first file is written.
  const files = Array.from(changes).flatMap(({ after }) => {
    const component = after as Component | null
    return component === null ? [] : [[pathOf(component.type, component.key), fileText(component)] as const]
  })
  const folder = new ComponentFolder(dir)
  for (const [path, content] of files) folder.write(path, content)
}
