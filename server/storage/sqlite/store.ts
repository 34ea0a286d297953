// The store over one SQLite connection: snapshots for readers, one writer at a time.
import type { OrgReader, OrgStore, OrgTransactor } from '../../ports/org-store.ts'
import type { Db } from './db.ts'
import type { ParsedCache } from './generation-view.ts'
import { sqliteReader } from './reader.ts'
import { sqliteTransactor } from './transactor.ts'
import { busyError, clearWriter, noteWriter } from './writer-note.ts'

export class SqliteStore implements OrgStore {
  readonly #db: Db
  readonly #note: string
  readonly #busyMs: number
  readonly #reader: OrgReader

  constructor(db: Db, path: string, busyMs: number, cache: ParsedCache) {
    this.#db = db
    this.#note = `${path}.writer`
    this.#busyMs = busyMs
    this.#reader = sqliteReader(db, cache)
  }

  read<T>(work: (reader: OrgReader) => T): T {
    if (this.#db.inTransaction) return work(this.#reader)
    this.#db.exec('BEGIN')
    try {
      return work(this.#reader)
    } finally {
      this.#db.exec('COMMIT')
    }
  }

  write<T>(work: (transactor: OrgTransactor) => T): T {
    if (this.#db.inTransaction)
      throw new Error('A transaction is open already; a write cannot begin inside it.')
    this.#begin()
    const { transactor, end } = sqliteTransactor(this.#db, this.#reader)
    try {
      const answer = work(transactor)
      // While the lock is still ours: afterwards the note may be the next writer's.
      clearWriter(this.#note)
      this.#db.exec('COMMIT')
      return answer
    } catch (error) {
      clearWriter(this.#note)
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK')
      throw error
    } finally {
      end()
    }
  }

  close(): void {
    this.#db.close()
  }

  #begin(): void {
    try {
      this.#db.exec('BEGIN IMMEDIATE')
    } catch (error) {
      if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY') === true)
        throw busyError(this.#note, this.#busyMs, error)
      throw error
    }
    noteWriter(this.#note)
  }
}
