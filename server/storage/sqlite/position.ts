// The position of the org: the number of transactions that have changed it.
import { one, run, type Db } from './db.ts'

export function positionOf(db: Db): number {
  return one<{ value: number }>(db, 'SELECT value FROM position')?.value ?? 0
}

/** Returns the function that advances the position, if anything was written in between. Call both in one transaction. */
export function watchPosition(db: Db): () => void {
  const before = changesOf(db)
  return () => {
    if (changesOf(db) !== before) run(db, 'UPDATE position SET value = value + 1')
  }
}

/** The number of rows that this connection has changed since it was opened. */
function changesOf(db: Db): number {
  return one<{ changes: number }>(db, 'SELECT total_changes() AS changes')!.changes
}
