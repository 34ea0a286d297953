// How much of a generation's changes a viewer sees. The rationale and the change request of a generation may name its
// changes, so they are shown only to viewers who see a part of them.
import type { ActorSight } from '../access/index.ts'
import type { GenerationChanges, OrgReader } from '../ports/org-store.ts'
import { idHidden, idShown } from './shown.ts'

export type ChangesSeen = 'all' | 'part' | 'none'

/** Thousands of generations are checked in one call. */
export function allChangesSeen(
  reader: OrgReader,
  generations: readonly number[],
  sight: ActorSight,
): Map<number, ChangesSeen> {
  const all = reader.generationChanges(generations)
  return new Map(
    generations.map((generation) => {
      const sides = [sight.at(reader, generation - 1), sight.at(reader, generation)]
      return [generation, seenOf(all.get(generation)!, sides)]
    }),
  )
}

/** @param sides what it was, under the keys of that time, and what it became */
function seenOf({ definitions, sets }: GenerationChanges, sides: readonly ActorSight[]): ChangesSeen {
  const isPart =
    definitions.some((id) => sides.some((side) => idShown(id, side))) ||
    sets.some((set) => sides.some(({ visibility }) => visibility.values(set)))
  if (!isPart) return 'none'
  const isHidden =
    definitions.some((id) => sides.some((side) => idHidden(id, side))) ||
    sets.some((set) => sides.some((side) => side.has(set) && !side.visibility.values(set)))
  return isHidden ? 'part' : 'all'
}
