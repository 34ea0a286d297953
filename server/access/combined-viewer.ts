// For content that is written under the keys of one generation and read under those of another one: neither may
// hide it.
import type { Viewer } from './viewer.ts'
import { createVisibility } from './visibility.ts'

/** What one user can see over several generations. A set is shown if one of them shows it and none of them hides it. */
export function combineViewers(first: Viewer, ...others: readonly Viewer[]): Viewer {
  const viewers = [first, ...others]
  const has = (set: string): boolean => viewers.some((each) => each.has(set))
  const shows = (right: 'canSeeValues' | 'canSeeDefinition', set: string): boolean =>
    viewers.some(({ visibility }) => visibility[right](set)) &&
    viewers.every((each) => !each.has(set) || each.visibility[right](set))
  const values = (set: string): boolean => shows('canSeeValues', set)
  return {
    ...first,
    has,
    visibility: createVisibility(values, (set) => shows('canSeeDefinition', set)),
  }
}
