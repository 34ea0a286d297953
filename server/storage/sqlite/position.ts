// The position of the org: the number of transactions that have changed it.
import type Database from 'better-sqlite3'
import { one, run, type Db } from './db.ts'
import { storageError } from './storage-error.ts'

/** Returns the function that reads the position, which is called for each request. */
export function positionReader(db: Db): () => number {
  let statement: Database.Statement<[], number> | null = null
  return () => {
    try {
      statement ??= db.prepare<[], number>('SELECT value FROM position').pluck()
      return statement.get() ?? 0
    } catch (error) {
      throw storageError(error)
    }
  }
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
