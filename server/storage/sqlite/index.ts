// The org's storage in SQLite.
export { copySqliteFile } from './copy-file.ts'
export { createSqliteStore, openSqliteStore } from './open.ts'
