// Overwritten and deleted values stay in free parts of the file and in its write-ahead log until both are written again.
import Database from 'better-sqlite3'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { one, type Db } from '../db.ts'
import { storageError } from '../storage-error.ts'

/** @throws AlmanacError `org.busy`, `storage.*`: the traces are still there */
export function removeTraces({ name, memory }: Db): void {
  if (memory) return
  // A separate connection: the temporary copy of a large org must be a file.
  const db = new Database(name, { timeout: 30_000 })
  try {
    db.pragma('temp_store = FILE')
    db.exec('VACUUM')
    const { busy } = one<{ busy: number }>(db, 'PRAGMA wal_checkpoint(TRUNCATE)')!
    if (busy !== 0) throw busyOrg()
  } catch (error) {
    const failure = storageError(error)
    throw failure instanceof AlmanacError && failure.code === 'org.busy' ? busyOrg() : failure
  } finally {
    db.close()
  }
}

function busyOrg(): AlmanacError {
  return new AlmanacError(
    'org.busy',
    'The values were erased, but their traces could not be removed from the files, because another process reads or writes the org. Repeat the erasure.',
  )
}
