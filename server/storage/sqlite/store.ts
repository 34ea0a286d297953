// The store over one SQLite connection: snapshots for readers, one writer at a time.
import { insideTransaction } from '../../ports/transaction-scope.ts'
import type { OrgReader, OrgStore, OrgTransactor } from '../../ports/org-store.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { integrityFaults, unreadableFault } from './integrity/index.ts'
import type { Db } from './db.ts'
import type { ParsedCache } from './generation-view.ts'
import { sqliteReader } from './reader.ts'
import { positionReader, watchPosition } from './position.ts'
import { probeTables } from './probe.ts'
import { noteFiles, recordsFile, recordsSchema } from './records/records-file.ts'
import { sameFileCheck } from './same-file.ts'
import { installSealTriggers } from './seals.ts'
import { withStorageErrors } from './storage-error.ts'
import { lockOrg, rollBackTransaction, transaction, type RollBack } from './transaction.ts'
import { sqliteTransactor } from './transactor.ts'
import { verifyGeneration } from './verify-generation.ts'
import { busyError, clearWriter, noteWriter } from './writer-note.ts'

export interface StoreDeps {
  /** Null in memory, where no other process can wait for a writer. */
  path: string | null
  busyMs: number
  cache: ParsedCache
  rollBack?: RollBack | undefined
}

export class SqliteStore implements OrgStore {
  readonly #db: Db
  readonly #note: string | null
  readonly #busyMs: number
  readonly #reader: OrgReader
  readonly #position: () => number
  readonly #rollBack: RollBack
  /** Whether the file of the records is attached: not when the org is created. */
  readonly #hasRecords: boolean
  readonly #requireSameFiles: () => void
  /** Whether `work` of a read or a write is running: a read inside it belongs to the same transaction. */
  #running = false
  #keepsSeals = false

  constructor(db: Db, { path, busyMs, cache, rollBack = rollBackTransaction }: StoreDeps) {
    this.#db = db
    this.#note = path === null ? null : `${path}.writer`
    this.#busyMs = busyMs
    this.#reader = sqliteReader(db, cache)
    this.#position = positionReader(db)
    this.#rollBack = rollBack
    this.#hasRecords = recordsSchema(db) === 'records'
    const files =
      path === null ? [] : [path, recordsFile(path)].map((name) => sameFileCheck({ name, memory: false }))
    this.#requireSameFiles = () => files.forEach((check) => check())
  }

  read<T>(work: (reader: OrgReader) => T): T {
    if (this.#running) return work(this.#reader)
    return this.#inTransaction(() => work(this.#reader))
  }

  write<T>(work: (transactor: OrgTransactor) => T): T {
    if (this.#running) throw new Error('A transaction is already open; a write cannot begin inside it.')
    this.#keepSeals()
    const { transactor, finish, end } = sqliteTransactor(this.#db, this.#reader)
    let locked = false
    try {
      return this.#inTransaction(() => {
        lockOrg(this.#db)
        locked = true
        if (this.#note !== null) noteWriter(this.#note)
        try {
          const advancePosition = watchPosition(this.#db, this.#hasRecords)
          const result = insideTransaction(() => work(transactor))
          finish()
          advancePosition()
          return result
        } finally {
          // While the lock is still held: afterwards the note may be the next writer's.
          if (this.#note !== null) clearWriter(this.#note)
        }
      })
    } catch (error) {
      if (!locked && this.#note !== null && isBusy(error)) throw busyError(this.#note, this.#busyMs, error)
      throw error
    } finally {
      end()
    }
  }

  position(): number {
    return this.#position()
  }

  probe(): void {
    this.#requireSameFiles()
    this.read(() => probeTables(this.#db))
  }

  verifyActive(): void {
    this.read((reader) => verifyGeneration(this.#db, reader.generations.active()))
  }

  checkIntegrity(): Finding[] {
    let faults: Finding[] = []
    try {
      this.read(() => {
        faults = integrityFaults(this.#db)
      })
    } catch (error) {
      // On a damaged file, even the end of a read can fail; the earlier findings are then returned.
      faults.push(unreadableFault(error))
    }
    return faults
  }

  close(): void {
    // A connection that has only read leaves the files as they are.
    if (this.#db.open && this.#keepsSeals && this.#hasRecords) noteFiles(this.#db)
    this.#db.close()
  }

  /** Called at the first write, because a connection that only reads needs no triggers. */
  #keepSeals(): void {
    if (this.#keepsSeals) return
    withStorageErrors(() => installSealTriggers(this.#db))
    this.#keepsSeals = true
  }

  #inTransaction<T>(work: () => T): T {
    return transaction(
      this.#db,
      'BEGIN',
      () => {
        this.#running = true
        try {
          return work()
        } finally {
          this.#running = false
        }
      },
      this.#rollBack,
    )
  }
}

const isBusy = (error: unknown): boolean => error instanceof AlmanacError && error.code === 'org.busy'
