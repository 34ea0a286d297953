// The row that a list selects when the current row leaves it: the row after it, or at the end the one before.

/** The nearest of `before` that still exists, rows after `id` first; null if none does, or `id` was never listed. */
export function neighbourOf<Id>(before: readonly Id[], id: Id, isThere: (id: Id) => boolean): Id | null {
  const at = before.indexOf(id)
  if (at < 0) return null
  return before.slice(at + 1).find(isThere) ?? before.slice(0, at).findLast(isThere) ?? null
}
