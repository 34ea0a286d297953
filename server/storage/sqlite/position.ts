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

/**
 * Returns the function that advances the position, if anything was written in between. Call both in one transaction.
 *
 * @param hasRecords whether the file of the records is attached
 */
export function watchPosition(db: Db, hasRecords: boolean): () => void {
  const before = changesOf(db)
  const records = hasRecords ? recordsSeen : 'records'
  return () => {
    if (changesOf(db) !== before) run(db, `UPDATE position SET value = value + 1, records = ${records}`)
  }
}

/** The position of the records, which never goes back. */
const recordsSeen = 'max(records, coalesce((SELECT max(sequence) FROM record_change), 0))'

/** Lets the org know the position of its records, which others write. */
export function noteRecords(db: Db): void {
  run(db, `UPDATE position SET records = ${recordsSeen} WHERE records < ${recordsSeen}`)
}

/** The number of rows that this connection has changed since it was opened. */
function changesOf(db: Db): number {
  return one<{ changes: number }>(db, 'SELECT total_changes() AS changes')!.changes
}
