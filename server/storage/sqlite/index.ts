// The org's storage in SQLite.
export { createSqliteStore, openSqliteStore } from './open.ts'
