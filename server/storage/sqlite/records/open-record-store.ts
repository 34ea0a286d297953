// Opens the records of an org over a separate connection to its file, so that they never wait for the readers of the org.
import Database from 'better-sqlite3'
import type { RecordStore } from '../../../ports/record-store.ts'
import { records } from '../migrations/019-records.ts'
import { prepareConnection } from '../prepare-connection.ts'
import { installSealTriggers } from '../seals.ts'
import { SqliteRecordStore } from './record-store.ts'

/** @param path a file that `openSqliteStore` has opened, so that its schema is current */
export function openRecordStore(path: string, { busyMs = 5000 }: { busyMs?: number } = {}): RecordStore {
  const db = new Database(path, { timeout: busyMs })
  prepareConnection(db)
  return new SqliteRecordStore(db, { beforeWrites: () => installSealTriggers(db) })
}

/** Records without an org, for tests of engines. */
export function createMemoryRecordStore(options: { few?: number } = {}): RecordStore {
  const db = new Database(':memory:')
  db.exec(records)
  return new SqliteRecordStore(db, options)
}
