// The effect of a draft on its component, for the list of components.
import type { DraftState } from '#wire/index.ts'
import type { DraftSummary } from '#wire/index.ts'

export function draftState({
  removes,
  baseDigest,
}: Pick<DraftSummary, 'removes' | 'baseDigest'>): DraftState {
  if (removes) return 'removed'
  return baseDigest === null ? 'added' : 'changed'
}
