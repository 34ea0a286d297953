// Records in SQLite: one table an object, one column a field, on one connection.
import { insideTransaction } from '../../../ports/transaction-scope.ts'
import type {
  MomentReader,
  RecordReader,
  RecordStore,
  RecordTransactor,
} from '../../../ports/record-store.ts'
import type { Db } from '../db.ts'
import { sameFileCheck } from '../same-file.ts'
import { storageError } from '../storage-error.ts'
import { archiveStatements } from './archives.ts'
import { ChangeLog } from './changes.ts'
import { appendEffect, readEffects } from './effects.ts'
import { EventOutbox } from './event-rows.ts'
import { eventStatements } from './events.ts'
import { outboxStatements } from './outbox.ts'
import { deliveryStatements } from './deliveries.ts'
import { erasureStatements } from './erasures.ts'
import type { Noticed } from './followed-writes.ts'
import { ingestStatements } from './ingests.ts'
import { jobStatements } from './jobs.ts'
import { Moments } from './moments.ts'
import { keepReply, replyOf } from './replies.ts'
import { installCaseFunctions } from './query-sql.ts'
import { ManyWrites } from './second-thread/many-writes.ts'
import type { CommittedRecords } from './second-thread/committed-records.ts'
import type { RowWrites } from './second-thread/sent-writes.ts'
import type { WritingThread } from './second-thread/writing-thread.ts'
import { SharedReads } from './shared-reads.ts'
import { statementsOf, type Statements } from './statements.ts'
import { StoredRecords } from './stored-records.ts'
import { objectsWithTables } from './table-map.ts'
import { traceStatements } from './trace-rows.ts'
import { removeTraces } from './traces.ts'
import { Transactions } from './transactions.ts'
import { noteUses, usesOfClient } from './uses.ts'

interface StoreOptions {
  /** Called before the first write. */
  beforeWrites?: () => void
  /** How many records a search looks at one by one. */
  few?: number
  /** Writes what transactions with many records have computed. */
  thread?: WritingThread | null
}

export class SqliteRecordStore implements RecordStore {
  readonly #db: Db
  readonly #statement: Statements
  readonly #requireSameFile: () => void
  #beforeWrites: () => void
  readonly #records: StoredRecords
  readonly #changes: ChangeLog
  readonly #events: EventOutbox
  readonly #transactions: Transactions
  readonly #moments: Moments
  readonly #reads: SharedReads
  readonly #many: ManyWrites | null
  #openSaves = 0
  #isWriting = false
  /** The sequence number of the last change, until something is written. */
  #lastChange: number | null = null
  readonly #momentReader: MomentReader = {
    get: (object, ids) => this.#records.get(object, ids),
    position: () => this.#position(),
  }

  constructor(db: Db, { beforeWrites = () => undefined, few = 2000, thread = null }: StoreOptions = {}) {
    this.#db = db
    installCaseFunctions(db)
    this.#statement = statementsOf(db)
    this.#requireSameFile = sameFileCheck(db)
    this.#beforeWrites = beforeWrites
    this.#records = new StoredRecords(db, this.#statement, few)
    this.#events = new EventOutbox(db)
    this.#changes = new ChangeLog(db, this.#events)
    this.#transactions = new Transactions(db, this.#statement, {
      begun: (isWriting, noticed) => this.#begun(isWriting, noticed),
      committing: () => this.#writePending(),
      undone: () => this.#forget(),
      ended: () => this.#ended(),
    })
    this.#moments = new Moments(this.#transactions)
    this.#reads = new SharedReads(this.#transactor(), (work) => this.#transactions.follow('BEGIN', work))
    this.#many =
      thread === null
        ? null
        : new ManyWrites(thread, {
            committed: this.#committed,
            overOneState: (work) => this.#transactions.run('BEGIN', work),
            write: (work) => this.#transactions.run('BEGIN IMMEDIATE', () => work(this.#transactor())),
          })
  }

  readNow<T>(work: (reader: MomentReader) => T): { value: T } | null {
    return this.#moments.read(() => work(this.#momentReader))
  }

  inMoment(work: () => void): void {
    this.#moments.run(work)
  }

  read<T>(work: (reader: RecordReader) => Promise<T>): Promise<T> {
    return this.#reads.read(work)
  }

  write<T>(work: (transactor: RecordTransactor) => Promise<T>): Promise<T> {
    this.#prepareWrites()
    return this.#transactions.follow('BEGIN IMMEDIATE', () =>
      insideTransaction(() => work(this.#transactor())),
    )
  }

  writeMany<T>(
    work: (transactor: RecordTransactor) => Promise<T>,
    onSent = (): void => undefined,
  ): Promise<T> {
    const many = this.#many
    if (many === null) return this.write(work)
    this.#prepareWrites()
    return this.#transactions.inTurnUntilSent((sent) =>
      many.run(
        (transactor) => insideTransaction(() => work(transactor)),
        () => {
          sent()
          onSent()
        },
      ),
    )
  }

  /** Within a transaction: whether another connection has written since the one before. */
  get othersHaveWritten(): boolean {
    return this.#transactions.othersHaveWritten
  }

  /** Within a transaction that writes. */
  readonly rows: RowWrites = {
    insert: (record) => this.#records.insert(record),
    update: (record) => this.#records.update(record),
    remove: (object, id) => this.#records.remove(object, id),
    appendChange: (change) => this.#changes.append(change),
  }

  readonly #committed: CommittedRecords = {
    get: (object, ids) => this.#records.get(object, ids),
    find: (object, field, value, limit) => this.#records.find(object, field, value, limit),
    findAny: (object, field, values, limit) => this.#records.findAny(object, field, values, limit),
    keyOf: (object, field, value) => {
      const column = this.#records.table(object)?.columns.find(({ id }) => id === field)
      return column === undefined ? null : column.encoding.encode(value)
    },
    boundGenerations: () => this.#records.boundGenerations(),
    hasRoomFor: (table) => this.#records.hasRoomFor(table),
  }

  removeTraces(): Promise<void> {
    return this.#transactions.inTurn(async () => {
      try {
        await removeTraces(this.#db)
      } finally {
        this.#records.forgetRecent()
      }
    })
  }

  async close(): Promise<void> {
    // Reads that wait have not joined the others yet.
    await this.read(async () => undefined)
    await this.#transactions.last
    await this.#many?.close()
    this.#db.close()
  }

  #prepareWrites(): void {
    this.#requireSameFile()
    this.#beforeWrites()
    this.#beforeWrites = () => undefined
  }

  #begun(isWriting: boolean, { isWritten, hasOtherSchema }: Noticed): void {
    this.#isWriting = isWriting
    if (isWritten || isWriting) {
      this.#lastChange = null
      this.#changes.forget()
      this.#records.forgetRecent()
    }
    if (hasOtherSchema) this.#forget()
    this.#records.begin(isWriting)
  }

  #ended(): void {
    this.#isWriting = false
    this.#records.end()
    this.#changes.forget()
  }

  #forget(): void {
    this.#records.forget()
    this.#changes.forget()
  }

  /** Called before a commit and before a savepoint. */
  #writePending(): void {
    this.#records.writeRows()
    this.#changes.flush()
    this.#records.writeWords()
  }

  #position(): number {
    if (this.#isWriting) return this.#changes.last()
    return (this.#lastChange ??= this.#changes.last())
  }

  #transactor(): RecordTransactor {
    const [db, records, changes] = [this.#db, this.#records, this.#changes]
    return {
      ...jobStatements(db, {
        countOf: (object) => records.count(object),
        indexWords: (object, id) => records.indexWords(object, id),
      }),
      ...erasureStatements(db, { flush: () => changes.flush(), forget: () => changes.forget() }),
      ...archiveStatements(db),
      get: async (object, ids) => records.get(object, ids),
      find: async (object, field, value, limit) => records.find(object, field, value, limit),
      boundGenerations: async () => records.boundGenerations(),
      objects: async () => objectsWithTables(db),
      effects: async (after, limit) => readEffects(db, after, limit),
      history: async (object, record, page) => changes.historyOf(object, record, page),
      appendChange: async (change) => changes.append(change),
      position: async () => this.#position(),
      changedObjects: async (after) => changes.objectsAfter(after),
      keptReply: async (caller, key) => replyOf(db, caller, key),
      keepReply: async (reply, since) => keepReply(db, reply, since),
      uses: async (client) => usesOfClient(db, client),
      noteUses: async (uses) => noteUses(db, uses),
      append: async (effect, call) => appendEffect(db, effect, call),
      ...outboxStatements(db),
      ...traceStatements(db),
      ...ingestStatements(db),
      ...deliveryStatements(db),
      ...eventStatements(db, this.#events),
      query: async (query) => records.query(query),
      countFound: async (query) => records.countFound(query),
      search: async (search) => records.search(search),
      page: async (object, after, limit) => records.page(object, after, limit),
      // What it finds could be changed by what it writes; its statements see both.
      foresee: async () => undefined,
      enter: async (tables) => records.enter(tables),
      insert: async (record) => records.insert(record),
      update: async (record) => records.update(record),
      remove: async (object, id) => records.remove(object, id),
      savepoint: (work) => this.#savepoint(work),
    }
  }

  async #savepoint<T>(work: () => Promise<T>): Promise<T> {
    this.#writePending()
    const name = `save_${(this.#openSaves += 1)}`
    this.#statement(`SAVEPOINT ${name}`).run()
    try {
      const result = await work()
      this.#statement(`RELEASE ${name}`).run()
      return result
    } catch (error) {
      this.#forget()
      // A failure of the disk has already undone the whole transaction.
      if (this.#db.inTransaction) this.#db.exec(`ROLLBACK TO ${name}; RELEASE ${name}`)
      throw storageError(error)
    } finally {
      this.#openSaves -= 1
    }
  }
}
