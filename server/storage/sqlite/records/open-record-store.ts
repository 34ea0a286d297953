// Opens the records of an org over a connection to their file, so that they wait neither for the readers nor for the writers of the org.
import Database from 'better-sqlite3'
import type { RecordStore } from '../../../ports/record-store.ts'
import { records } from '../migrations/019-records.ts'
import { prepareConnection } from '../prepare-connection.ts'
import { installSealTriggers } from '../seals.ts'
import { archives } from './archives.ts'
import { SqliteRecordStore } from './record-store.ts'
import { recordsFile } from './records-file.ts'

/** @param path the file of an org that `openSqliteStore` has opened, so that its schema is current */
export function openRecordStore(path: string, { busyMs = 5000 }: { busyMs?: number } = {}): RecordStore {
  const db = new Database(recordsFile(path), { timeout: busyMs, fileMustExist: true })
  prepareConnection(db)
  return new SqliteRecordStore(db, { beforeWrites: () => installSealTriggers(db) })
}

/** Records without an org, for tests of engines. */
export function createMemoryRecordStore(options: { few?: number } = {}): RecordStore {
  const db = new Database(':memory:')
  db.exec(records + archives)
  return new SqliteRecordStore(db, options)
}
