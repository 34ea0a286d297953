// Which drafts somebody sees: their own, and those of what they see (specification 5.5).
import { splitId } from '#kernel/components/component.ts'
import type { DraftRow } from '../../ports/org-store.ts'
import type { Asking } from '../caller.ts'

export function draftShown(
  { id, author }: DraftRow,
  { access, visibility }: Pick<Asking, 'access' | 'visibility'>,
): boolean {
  if (author === access.user || access.platformRoot) return true
  const { type, key } = splitId(id)
  if (type === 'config_entry') return visibility.values(key.split('.')[0]!)
  return type === 'config_set' || type === 'feature_flag' ? visibility.definition(key) : true
}

/** What a draft does to its component. */
export function draftState({ text, baseDigest }: DraftRow): 'added' | 'changed' | 'removed' {
  if (text === null) return 'removed'
  return baseDigest === null ? 'added' : 'changed'
}
