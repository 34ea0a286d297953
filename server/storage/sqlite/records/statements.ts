// The prepared statements of the connection to the records, each compiled once.
import type Database from 'better-sqlite3'
import type { Db } from '../db.ts'

export type Statement = Database.Statement<unknown[]>
export type Statements = (sql: string) => Statement

/** Integers are read as BigInt. */
export function statementsOf(db: Db): Statements {
  const known = new Map<string, Statement>()
  return (sql) => {
    let statement = known.get(sql)
    if (statement === undefined) {
      statement = db.prepare<unknown[]>(sql).safeIntegers()
      known.set(sql, statement)
    }
    return statement
  }
}
