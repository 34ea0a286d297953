// The org's storage in SQLite.
export { copySqliteFiles } from './copy-file.ts'
export { createMemoryStore, createSqliteStore, openSqliteStore } from './open.ts'
export { openRecordStore } from './records/open-record-store.ts'
