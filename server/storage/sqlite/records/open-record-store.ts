// Opens the records of an org over a connection to their file, so that they wait neither for the readers nor for the writers of the org.
import Database from 'better-sqlite3'
import type { RecordStore } from '../../../ports/record-store.ts'
import { records } from '../migrations/019-records.ts'
import type { Db } from '../db.ts'
import { prepareConnection } from '../prepare-connection.ts'
import { installSealTriggers } from '../seals.ts'
import { withStorageErrors } from '../storage-error.ts'
import { SqliteRecordStore } from './record-store.ts'
import { ownTables, recordsFile } from './records-file.ts'
import { WritingThread, type ThreadSource } from './second-thread/writing-thread.ts'

export interface RecordStoreOptions {
  /** How long a writer waits for a different process, in milliseconds; 5,000 by default. */
  busyMs?: number | undefined
  /** Starts a thread that runs a `WriteServer` over the same file. */
  writingThread?: ThreadSource | undefined
}

/** @param path the file of an org that `openSqliteStore` has opened, so that its schema is current */
export function openRecordStore(
  path: string,
  { busyMs = 5000, writingThread }: RecordStoreOptions = {},
): SqliteRecordStore {
  const db = withStorageErrors(() => openRecordsFile(recordsFile(path), busyMs))
  return new SqliteRecordStore(db, {
    beforeWrites: () => withStorageErrors(() => installSealTriggers(db)),
    thread: writingThread === undefined ? null : new WritingThread(writingThread),
  })
}

function openRecordsFile(file: string, busyMs: number): Db {
  const db = new Database(file, { timeout: busyMs, fileMustExist: true })
  try {
    prepareConnection(db)
    // Batches write the same pages again and again: a longer log is copied to the file less often.
    db.pragma('wal_autocheckpoint = 4000')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Records without an org, for tests of engines. */
export function createMemoryRecordStore(options: { few?: number } = {}): RecordStore {
  const db = new Database(':memory:')
  db.exec(records + ownTables)
  db.exec(`INSERT INTO record_org (one, lineage) VALUES (1, '')`)
  return new SqliteRecordStore(db, options)
}
