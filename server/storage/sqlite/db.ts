// The connection and its prepared statements, each compiled once. Statements use no closures, because replays run
// millions of them.
import type Database from 'better-sqlite3'
import { storageError } from './storage-error.ts'

export type Db = Database.Database
type Statement = Database.Statement<unknown[]>

/** The `to_gen` of current versions: the largest exact integer, so that every range test is one comparison. */
export const OPEN = Number.MAX_SAFE_INTEGER

const compiled = new WeakMap<Db, Map<string, Statement>>()

/** Returns the statement for this text on this connection; cached, because compiling costs more than running. */
function prepare(db: Db, sql: string): Statement {
  let known = compiled.get(db)
  if (known === undefined) compiled.set(db, (known = new Map()))
  let statement = known.get(sql)
  if (statement === undefined) known.set(sql, (statement = db.prepare(sql)))
  return statement
}

export function one<Row>(db: Db, sql: string, ...values: unknown[]): Row | undefined {
  try {
    return prepare(db, sql).get(...values) as Row | undefined
  } catch (error) {
    throw storageError(error)
  }
}

export function all<Row>(db: Db, sql: string, ...values: unknown[]): Row[] {
  try {
    return prepare(db, sql).all(...values) as Row[]
  } catch (error) {
    throw storageError(error)
  }
}

/** A map of two columns; avoids an object per row, which matters for a hundred thousand rows. */
export function pairs<K, V>(db: Db, sql: string, ...values: unknown[]): Map<K, V> {
  try {
    const rows = prepare(db, sql)
      .raw()
      .all(...values)
    return new Map(rows as [K, V][])
  } catch (error) {
    throw storageError(error)
  }
}

export function run(db: Db, sql: string, ...values: unknown[]): number {
  try {
    return prepare(db, sql).run(...values).changes
  } catch (error) {
    throw storageError(error)
  }
}

/** Returns the rowid of the inserted row. */
export function insertReturningId(db: Db, sql: string, ...values: unknown[]): number | bigint {
  try {
    return prepare(db, sql).run(...values).lastInsertRowid
  } catch (error) {
    throw storageError(error)
  }
}
