// Opens the records of an org over a connection to their file, so that they wait neither for the readers nor for the writers of the org.
import Database from 'better-sqlite3'
import type { RecordStore } from '../../../ports/record-store.ts'
import { records } from '../migrations/019-records.ts'
import { prepareConnection } from '../prepare-connection.ts'
import { installSealTriggers } from '../seals.ts'
import { archives } from './archives.ts'
import { SqliteRecordStore } from './record-store.ts'
import { recordsFile } from './records-file.ts'
import { WritingThread, type ThreadSource } from './second-thread/writing-thread.ts'

export interface RecordStoreOptions {
  busyMs?: number
  /** Starts a thread that runs a `WriteServer` over the same file. */
  writingThread?: ThreadSource | undefined
}

/** @param path the file of an org that `openSqliteStore` has opened, so that its schema is current */
export function openRecordStore(
  path: string,
  { busyMs = 5000, writingThread }: RecordStoreOptions = {},
): SqliteRecordStore {
  const db = new Database(recordsFile(path), { timeout: busyMs, fileMustExist: true })
  prepareConnection(db)
  // Batches write the same pages again and again: a longer log is copied to the file less often.
  db.pragma('wal_autocheckpoint = 4000')
  return new SqliteRecordStore(db, {
    beforeWrites: () => installSealTriggers(db),
    thread: writingThread === undefined ? null : new WritingThread(writingThread),
  })
}

/** Records without an org, for tests of engines. */
export function createMemoryRecordStore(options: { few?: number } = {}): RecordStore {
  const db = new Database(':memory:')
  db.exec(records + archives)
  return new SqliteRecordStore(db, options)
}
