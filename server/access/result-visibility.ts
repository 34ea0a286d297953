// Which stored results a user can see: those of which they can read every set and flag
// (docs/reference/bindings-and-evidence.md).
import type { ResultReads } from '../ports/results.ts'
import type { EffectiveAccess } from './effective-access.ts'
import { PastVisibility, type PastReader, type PresentGeneration } from './past-visibility.ts'

export type ResultFilter = (reads: ResultReads) => boolean

/** A result's own generation identifies what it read, and today's grants decide who sees it. */
export function createResultFilter(
  reader: PastReader,
  access: EffectiveAccess,
  active: PresentGeneration,
): ResultFilter {
  const past = new PastVisibility(access, active)
  return ({ generation, sets }) => {
    const { canSeeValues } = past.at(reader, generation)
    return sets.every(canSeeValues)
  }
}
