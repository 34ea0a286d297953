// The only way to run a transaction: it is committed, or rolled back at every exit.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Db } from './db.ts'
import { storageError } from './storage-error.ts'

/** For tests of the suite "faults": what a connection does at the end of a failed transaction. */
export type RollBack = (db: Db) => void

/**
 * Runs `work` in a transaction.
 *
 * @throws AlmanacError `org.busy`, `storage.full`, `storage.read_only`, `storage.damaged`, `storage.failed`, and every
 * error of `work`; no transaction is open afterwards.
 */
export function transaction<T>(
  db: Db,
  begin: 'BEGIN' | 'BEGIN IMMEDIATE',
  work: () => T,
  rollBack: RollBack = rollBackTransaction,
): T {
  // A rollback that failed earlier must not block what follows.
  if (db.inTransaction) rollBack(db)
  try {
    db.exec(begin)
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (error) {
    rollBack(db)
    throw storageError(error)
  }
}

/**
 * Makes a transaction that has read nothing yet the only one that writes to the org. Unlike `BEGIN IMMEDIATE`, it does
 * not lock the attached records.
 */
export function lockOrg(db: Db): void {
  db.exec('UPDATE main.position SET value = value WHERE 0')
}

export function rollBackTransaction(db: Db): void {
  if (!db.inTransaction) return
  try {
    db.exec('ROLLBACK')
  } catch (cause) {
    if (db.inTransaction)
      throw new AlmanacError(
        'storage.failed',
        'A failed write could not be rolled back. Check the disk and restart Almanac; the write is undone when it starts.',
        { cause },
      )
  }
}
