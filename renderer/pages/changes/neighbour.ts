// Where a list goes on when the row at hand leaves it: at the row behind it, or at the one before the end.

/** The nearest of `before` that is still there, the rows behind `id` first; null if none is, or `id` never was. */
export function neighbourOf<Id>(before: readonly Id[], id: Id, isThere: (id: Id) => boolean): Id | null {
  const at = before.indexOf(id)
  if (at < 0) return null
  return before.slice(at + 1).find(isThere) ?? before.slice(0, at).findLast(isThere) ?? null
}
