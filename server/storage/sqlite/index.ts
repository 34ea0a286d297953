// The org's storage in SQLite.
export { copySqliteFile, copySqliteFiles } from './copy-file.ts'
export { createMemoryStore, createSqliteStore, openSqliteStore } from './open.ts'
export { vaultStoreIn } from './vault/open-vault-store.ts'
export { openRecordStore } from './records/open-record-store.ts'
export { WriteServer } from './records/second-thread/serve-writes.ts'
export type { ThreadSource } from './records/second-thread/writing-thread.ts'
export type { ToWriter } from './records/second-thread/messages.ts'
