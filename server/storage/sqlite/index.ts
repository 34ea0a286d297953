// The org's storage in SQLite.
export { createSqliteStore, openSqliteStore, type OpenOptions } from './open.ts'
