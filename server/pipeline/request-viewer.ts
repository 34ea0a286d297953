// What a user sees of a change request. Its list uses the keys of the generation that its author saw; once it is
// applied, those of the generation that it became.
import { combineViewers, type Viewer } from '../access/index.ts'
import type { ChangeRequestRow } from '../ports/change-request-store.ts'
import type { OrgReader } from '../ports/org-store.ts'

export function requestViewer(
  reader: OrgReader,
  { base, generation }: Pick<ChangeRequestRow, 'base' | 'generation'>,
  sight: Viewer | null,
): Viewer | null {
  if (sight === null) return null
  if (generation !== null)
    return combineViewers(sight.at(reader, generation), sight.at(reader, generation - 1))
  const written = sight.at(reader, base)
  return written === sight ? sight : combineViewers(sight, written)
}
