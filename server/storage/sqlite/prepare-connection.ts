// WAL, and an fsync before every acknowledgement (synchronous=FULL).
import type { Db } from './db.ts'

export function prepareConnection(db: Db): void {
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.pragma('foreign_keys = ON')
  db.pragma('cache_size = -32000')
  db.pragma('temp_store = MEMORY')
}
