// What a user sees of a change request. Its list uses the keys of the generation that its author saw; once it is
// applied, those of the generation that it became.
import { combineViewers, type Viewer } from '../access/index.ts'
import type { ChangeRequestRow } from '../ports/change-requests.ts'
import type { OrgReader } from '../ports/org-store.ts'

export function requestViewer(
  reader: OrgReader,
  { base, generation }: Pick<ChangeRequestRow, 'base' | 'generation'>,
  viewer: Viewer | null,
): Viewer | null {
  if (viewer === null) return null
  if (generation !== null)
    return combineViewers(viewer.at(reader, generation), viewer.at(reader, generation - 1))
  const written = viewer.at(reader, base)
  return written === viewer ? viewer : combineViewers(viewer, written)
}
