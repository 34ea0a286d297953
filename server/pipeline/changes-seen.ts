// How much a viewer sees of what a generation changed. Its reasons, which may name what changed, are for those who see a
// part of that: the rationale of the generation, and the change request that it was.
import type { ActorSight } from '../access/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { idHidden, idShown } from './shown.ts'

/** Of what it was, under the keys of that time, and of what it became. */
export function changesSeen(
  reader: OrgReader,
  generation: number,
  sight: ActorSight,
): 'all' | 'part' | 'none' {
  const sides = [sight.at(reader, generation - 1), sight.at(reader, generation)]
  const definitions = reader.changedApartFromEntries(generation)
  const sets = reader.setsChanged(generation - 1, generation)
  const isPart =
    definitions.some((id) => sides.some((side) => idShown(id, side))) ||
    sets.some((set) => sides.some(({ visibility }) => visibility.values(set)))
  if (!isPart) return 'none'
  const isHidden =
    definitions.some((id) => sides.some((side) => idHidden(id, side))) ||
    sets.some((set) => sides.some((side) => side.has(set) && !side.visibility.values(set)))
  return isHidden ? 'part' : 'all'
}
