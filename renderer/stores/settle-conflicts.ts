// Saves or discards drafts whose active component has changed in the meantime, as their author resolved them.
import { isSameContent } from '#kernel/change/value-diff.ts'
import { fetchDrafts } from '../api/drafts.ts'
import { saveDrafts, type BatchedDraft } from '../api/sheet.ts'
import type { Conflict } from '../api/wire.ts'
import { readLoosely } from '../text/minimal-edit.ts'
import { pretty } from '../text/pretty.ts'

export interface SettledConflict {
  conflict: Conflict
  /** The component after resolution; undefined for none. */
  value: unknown
}

/**
 * Settles all or none.
 * @param base the generation that the user saw
 * @throws ApiError conflict.stale_draft, conflict.stale_generation if a user changed it again
 */
export async function settleConflicts(settled: readonly SettledConflict[], base: number): Promise<void> {
  const drafts = new Map((await fetchDrafts()).map((draft) => [draft.id, draft]))
  await saveDrafts(
    settled.flatMap(({ conflict: { id, theirs }, value }): BatchedDraft[] => {
      const draft = drafts.get(id)
      if (draft === undefined) return []
      const seen = { id, version: draft.version }
      if (isSameContent(value ?? null, theirs)) return [{ ...seen, drop: true }]
      if (value === undefined) return [{ ...seen, text: null, base }]
      return [{ ...seen, text: pretty({ ...(value as object), ...hintsOf(draft.text) }), base }]
    }),
  )
}

/** Hints of the author for one apply, which are in the draft's text and not in its component. */
function hintsOf(text: string | null): object {
  const { renamedFrom, breaking } = (readLoosely(text ?? '').value ?? {}) as Record<string, unknown>
  return {
    ...(renamedFrom === undefined ? {} : { renamedFrom }),
    ...(breaking === undefined ? {} : { breaking }),
  }
}
