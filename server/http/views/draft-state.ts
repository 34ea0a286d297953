// What a draft does to its component, for the list of components.
import type { DraftState } from '#kernel/wire/index.ts'
import type { DraftRow } from '../../ports/org-store.ts'

export function draftState({ text, baseDigest }: DraftRow): DraftState {
  if (text === null) return 'removed'
  return baseDigest === null ? 'added' : 'changed'
}
