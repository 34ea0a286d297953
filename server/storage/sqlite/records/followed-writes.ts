// What a connection has noticed of the writes of others.
import type Database from 'better-sqlite3'
import { one, type Db } from '../db.ts'

export interface Noticed {
  /** Whether another connection has written since the last transaction. */
  isWritten: boolean
  /** Whether one has changed the schema. */
  hasOtherSchema: boolean
}

export class FollowedWrites {
  readonly #db: Db
  #statement: Database.Statement<[], number> | null = null
  #version = -1
  #schema = -1

  constructor(db: Db) {
    this.#db = db
  }

  /** Called in each transaction first, because the state that is read cannot change afterwards. */
  notice(): Noticed {
    this.#statement ??= this.#db.prepare<[], number>('PRAGMA data_version').pluck()
    const version = this.#statement.get()!
    if (version === this.#version) return unchanged
    this.#version = version
    const { schema_version: schema } = one<{ schema_version: number }>(this.#db, 'PRAGMA schema_version')!
    const hasOtherSchema = schema !== this.#schema
    this.#schema = schema
    return { isWritten: true, hasOtherSchema }
  }
}

const unchanged: Noticed = { isWritten: false, hasOtherSchema: false }
