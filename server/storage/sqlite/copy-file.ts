// Copies the file of an org while others read and write it: one consistent state, without uncommitted changes.
import { closeSync, openSync } from 'node:fs'
import Database from 'better-sqlite3'
import { storageError } from './storage-error.ts'

/** `target` must not exist. The file is not migrated. @throws AlmanacError storage.damaged, storage.full, storage.failed */
export async function copySqliteFile(path: string, target: string): Promise<void> {
  // SQLite keeps the mode of a file that exists.
  closeSync(openSync(target, 'wx', 0o600))
  const db = new Database(path, { fileMustExist: true })
  try {
    // All pages in one step: in several, each write in between starts the copy again.
    await db.backup(target, { progress: ({ totalPages }) => totalPages })
  } catch (error) {
    throw storageError(error)
  } finally {
    db.close()
  }
}
