// How much of a generation's changes a viewer sees. The rationale and the change request of a generation may name its
// changes, so they are shown only to viewers who see a part of them.
import type { Viewer } from '../access/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { GenerationChanges } from '../ports/generations.ts'
import { isIdHidden, isIdVisible } from './id-visibility.ts'

export type ChangesVisibility = 'all' | 'part' | 'none'

/** Thousands of generations are checked in one call. */
export function changesVisibilityOf(
  reader: OrgReader,
  generations: readonly number[],
  viewer: Viewer,
): Map<number, ChangesVisibility> {
  const all = reader.generations.changesOf(generations)
  return new Map(
    generations.map((generation) => {
      const sides = [viewer.at(reader, generation - 1), viewer.at(reader, generation)]
      return [generation, generationVisibilityOf(all.get(generation)!, sides)]
    }),
  )
}

/** @param sides what it was, under the keys of that time, and what it became */
function generationVisibilityOf(
  { definitions, sets }: GenerationChanges,
  sides: readonly Viewer[],
): ChangesVisibility {
  const isPart =
    definitions.some((id) => sides.some((side) => isIdVisible(id, side))) ||
    sets.some((set) => sides.some(({ visibility }) => visibility.canSeeValues(set)))
  if (!isPart) return 'none'
  const isHidden =
    definitions.some((id) => sides.some((side) => isIdHidden(id, side))) ||
    sets.some((set) => sides.some((side) => side.has(set) && !side.visibility.canSeeValues(set)))
  return isHidden ? 'part' : 'all'
}
