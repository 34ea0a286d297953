// A generation's slice without the sets that are invisible to its reader (docs/reference/access.md).
import { filterSets, type GenerationSlice } from '#kernel/config/index.ts'
import type { Visibility } from './visibility.ts'

/**
 * The sets of `slice` whose definition is shown; an unknown name is then refused in the same way, whether hidden or
 * missing.
 */
export function visibleSlice(slice: GenerationSlice, visibility: Visibility): GenerationSlice {
  return { ...slice, sets: filterSets(slice.sets, (key) => visibility.canSeeDefinition(key)) }
}
