// Places rows that are added in this window among the visible rows.
import type { RowId } from './sheet-rows.ts'

/** Returns the rows with each fresh row after the row that it was added at; fresh rows without one come last. */
export function placeRows(
  rows: readonly RowId[],
  fresh: readonly RowId[],
  behind: ReadonlyMap<RowId, RowId | null>,
): RowId[] {
  const rowSet = new Set([...rows, ...fresh])
  const after = new Map<RowId | null, RowId[]>()
  for (const row of fresh) {
    const predecessor = behind.get(row) ?? null
    const at = predecessor !== null && rowSet.has(predecessor) ? predecessor : null
    const followers = after.get(at)
    if (followers === undefined) after.set(at, [row])
    else followers.push(row)
  }
  const placed: RowId[] = []
  // A row that follows another can itself be followed, by thousands if they were pasted.
  const put = (first: RowId): void => {
    const waiting = [first]
    for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
      placed.push(row)
      const followers = after.get(row) ?? []
      for (let at = followers.length - 1; at >= 0; at -= 1) waiting.push(followers[at]!)
    }
  }
  for (const row of rows) put(row)
  for (const row of after.get(null) ?? []) put(row)
  return placed
}
