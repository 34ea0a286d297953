// A generation's slice without the sets that its reader may not know of (specification 5.5).
import { narrowedSets, type GenerationSlice } from '#kernel/config/index.ts'
import type { Visibility } from './visibility.ts'

/** The sets of `slice` whose definition is shown; an unknown name is then refused alike, hidden or not there. */
export function visibleSlice(slice: GenerationSlice, visibility: Visibility): GenerationSlice {
  return { ...slice, sets: narrowedSets(slice.sets, (key) => visibility.definition(key)) }
}
