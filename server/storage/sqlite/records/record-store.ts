// Records in SQLite: one table an object, one column a field, on one connection.
import { setImmediate } from 'node:timers'
import type Database from 'better-sqlite3'
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { FieldId, KeptInputs, ObjectId, StoredBinding } from '#kernel/records/index.ts'
import type { RecordQuery, RecordSearch } from '../../../ports/record-query.ts'
import type {
  MomentReader,
  QueryPage,
  RecordReader,
  RecordStore,
  RecordTransactor,
  StoredRecord,
} from '../../../ports/record-store.ts'
import type { RecordTable } from '../../../ports/record-table.ts'
import type { Db } from '../db.ts'
import { sameFileCheck } from '../same-file.ts'
import { storageError } from '../storage-error.ts'
import { rollBackTransaction } from '../transaction.ts'
import { archiveStatements } from './archives.ts'
import { Bindings } from './bindings.ts'
import { ChangeLog } from './changes.ts'
import { appendEffect, readEffects } from './effects.ts'
import { findPlaces, readPlaces } from './query-page.ts'
import { jobStatements } from './jobs.ts'
import { erasureStatements } from './erasures.ts'
import { FollowedWrites } from './followed-writes.ts'
import { KnownRecords } from './known-records.ts'
import { beginInTurn } from './lock-turns.ts'
import { keepReply, replyOf } from './replies.ts'
import { installCaseFunctions } from './query-sql.ts'
import { RecentRecords } from './recent-records.ts'
import { RowWriter } from './row-writer.ts'
import { recordDigest, type MappedTable, type Row } from './rows.ts'
import { ManyWrites } from './second-thread/many-writes.ts'
import type { CommittedRecords } from './second-thread/piped-transactor.ts'
import type { RowWrites } from './second-thread/sent-writes.ts'
import type { WritingThread } from './second-thread/writing-thread.ts'
import { enterTable, hasRoomFor, mappedTable, objectsWithTables } from './table-map.ts'
import { withinSqlLimits } from './sql-limits.ts'
import { removeTraces } from './traces.ts'
import { noteUses, usesOfClient } from './uses.ts'
import { WordIndex } from './word-index.ts'
import { wordRows, type WordRow } from './words.ts'

type Statement = Database.Statement<unknown[]>

const wordsOfRecord = (table: MappedTable, { values }: StoredRecord): WordRow[] =>
  wordRows(table, (field) => values.get(field) ?? null)

const hasOtherWords = ({ columns }: MappedTable, before: StoredRecord, after: StoredRecord): boolean =>
  columns.some(
    ({ searched, id }) => searched && (before.values.get(id) ?? null) !== (after.values.get(id) ?? null),
  )

interface WaitingRead {
  run(reader: RecordReader): Promise<void>
  reject(error: unknown): void
}

interface StoreOptions {
  /** Called before the first write. */
  beforeWrites?: () => void
  /** How many records a search looks at one by one. */
  few?: number
  /** Writes what transactions with many records have computed. */
  thread?: WritingThread | null
}

const noHits: QueryPage = { hits: [], hasMore: false }

export class SqliteRecordStore implements RecordStore {
  readonly #db: Db
  readonly #requireSameFile: () => void
  #beforeWrites: () => void
  readonly #tables = new Map<ObjectId, MappedTable | null>()
  #entered = new WeakSet<RecordTable>()
  #bindings: Bindings
  readonly #words: WordIndex
  readonly #changes: ChangeLog
  readonly #known = new KnownRecords((record, before) => this.#write(record, before))
  readonly #recent = new RecentRecords()
  readonly #rows: RowWriter
  readonly #statements = new Map<string, Statement>()
  /** Transactions follow each other on the connection. */
  #last: Promise<unknown> = Promise.resolve()
  #openSaves = 0
  #waiting: WaitingRead[] = []
  /** Transactions that are running or wait for their turn. */
  #running = 0
  readonly #others: FollowedWrites
  readonly #many: ManyWrites | null
  /** Resolves once the transactions of the other thread are computed, unless something else follows them. */
  #sent: Promise<void> | null = null
  /** Whether another connection has written since the last transaction. */
  #othersHaveWritten = false
  #isWriting = false
  /** Whether reads of a moment share a snapshot, and whether one of them has begun it. */
  #isInMoment = false
  #hasMomentBegun = false
  /** The sequence number of the last change, until something is written. */
  #lastChange: number | null = null
  readonly #reader: RecordReader
  readonly #momentReader: MomentReader = {
    get: (object, ids) => this.#get(object, ids),
    position: () => this.#position(),
  }

  constructor(db: Db, { beforeWrites = () => undefined, few = 2000, thread = null }: StoreOptions = {}) {
    this.#db = db
    this.#many =
      thread === null
        ? null
        : new ManyWrites(thread, {
            committed: this.#committed,
            overOneState: (work) => this.#run('BEGIN', work),
            write: (work) => this.#run('BEGIN IMMEDIATE', () => work(this.#transactor())),
          })
    this.#requireSameFile = sameFileCheck(db)
    this.#beforeWrites = beforeWrites
    this.#others = new FollowedWrites(db)
    this.#bindings = new Bindings(db)
    this.#changes = new ChangeLog(db)
    this.#rows = new RowWriter((sql) => this.#statement(sql))
    installCaseFunctions(db)
    this.#words = new WordIndex(db, (sql) => this.#statement(sql), few)
    this.#reader = this.#transactor()
  }

  readNow<T>(work: (reader: MomentReader) => T): { value: T } | null {
    if (this.#running > 0) return null
    try {
      if (!this.#hasMomentBegun) this.#begin('BEGIN')
      this.#hasMomentBegun = this.#isInMoment
      const value = work(this.#momentReader)
      if (!this.#isInMoment) this.#statement('COMMIT').run()
      return { value }
    } catch (error) {
      this.#hasMomentBegun = false
      throw this.#undo(error)
    }
  }

  inMoment(work: () => void): void {
    this.#isInMoment = true
    try {
      work()
    } finally {
      this.#isInMoment = false
      if (this.#hasMomentBegun) this.#endMoment()
      this.#hasMomentBegun = false
    }
  }

  /** Nothing was written, so nothing is lost if it fails. */
  #endMoment(): void {
    try {
      this.#statement('COMMIT').run()
    } catch (error) {
      this.#undo(error)
    }
  }

  /** Reads that arrive in one turn of the event loop see one snapshot, so that they share its costs. */
  read<T>(work: (reader: RecordReader) => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const run = async (reader: RecordReader): Promise<void> => {
      try {
        resolve(await work(reader))
      } catch (error) {
        reject(storageError(error))
      }
    }
    this.#waiting.push({ run, reject })
    if (this.#waiting.length === 1) setImmediate(() => this.#readTogether())
    return promise
  }

  #readTogether(): void {
    let reads: WaitingRead[] = []
    const readAll = async (): Promise<void> => {
      // The snapshot has just begun, so it is not older than any of these.
      reads = this.#waiting.splice(0)
      await Promise.all(reads.map(({ run }) => run(this.#reader)))
    }
    this.#transaction('BEGIN', readAll).catch((error: unknown) => {
      for (const { reject } of reads.length === 0 ? this.#waiting.splice(0) : reads) reject(error)
    })
  }

  write<T>(work: (transactor: RecordTransactor) => Promise<T>): Promise<T> {
    this.#prepareWrites()
    return this.#transaction('BEGIN IMMEDIATE', () => work(this.#transactor()))
  }

  writeMany<T>(
    work: (transactor: RecordTransactor) => Promise<T>,
    onSent = (): void => undefined,
  ): Promise<T> {
    const many = this.#many
    if (many === null) return this.write(work)
    this.#prepareWrites()
    const start = this.#sent ?? this.#last
    const sent = Promise.withResolvers<void>()
    this.#running += 1
    const run = (): Promise<T> =>
      many.run(work, () => {
        sent.resolve()
        onSent()
      })
    const result = start.then(run).finally(() => {
      this.#running -= 1
      sent.resolve()
    })
    this.#sent = sent.promise
    this.#last = Promise.all([this.#last, result.catch(() => undefined)])
    return result
  }

  /** Within a transaction: whether another connection has written since the one before. */
  get othersHaveWritten(): boolean {
    return this.#othersHaveWritten
  }

  #prepareWrites(): void {
    this.#requireSameFile()
    this.#beforeWrites()
    this.#beforeWrites = () => undefined
  }

  /** Within a transaction that writes. */
  readonly rows: RowWrites = {
    insert: (record) => this.#insert(record),
    update: (record) => this.#update(record),
    remove: (object, id) => this.#remove(object, id),
    appendChange: (change) => this.#changes.append(change),
  }

  readonly #committed: CommittedRecords = {
    get: (object, ids) => this.#get(object, ids),
    find: (object, field, value, limit) => this.#find(object, field, value, limit),
    keyOf: (object, field, value) => {
      const column = this.#table(object)?.columns.find(({ id }) => id === field)
      return column === undefined ? null : column.encoding.encode(value)
    },
    boundGenerations: () => this.#bindings.generations(),
    hasRoomFor: (table) => {
      if (this.#entered.has(table)) return true
      const hasRoom = hasRoomFor(this.#db, table)
      if (hasRoom) this.#entered.add(table)
      return hasRoom
    },
  }

  removeTraces(): Promise<void> {
    return this.#inTurn(async () => {
      try {
        await removeTraces(this.#db)
      } finally {
        this.#recent.clear()
      }
    })
  }

  async close(): Promise<void> {
    // Reads that wait have not joined the others yet.
    await this.read(async () => undefined)
    await this.#last
    await this.#many?.close()
    this.#db.close()
  }

  #transaction<T>(begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: () => Promise<T>): Promise<T> {
    return this.#inTurn(() => this.#run(begin, work))
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    this.#running += 1
    this.#sent = null
    const result = this.#last.then(run).finally(() => (this.#running -= 1))
    this.#last = result.catch(() => undefined)
    return result
  }

  async #run<T>(begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: () => Promise<T>): Promise<T> {
    try {
      if (begin === 'BEGIN') this.#begin(begin)
      else await beginInTurn(this.#db, () => this.#begin(begin))
      const result = await work()
      this.#writePending()
      this.#statement('COMMIT').run()
      return result
    } catch (error) {
      throw this.#undo(error)
    } finally {
      this.#isWriting = false
      this.#known.keep(false)
      this.#changes.forget()
    }
  }

  #followOthers(): void {
    const { isWritten, hasOtherSchema } = this.#others.notice()
    this.#othersHaveWritten = isWritten
    if (isWritten || this.#isWriting) {
      this.#lastChange = null
      this.#changes.forget()
      this.#recent.clear()
    }
    if (hasOtherSchema) this.#forget()
  }

  #begin(begin: 'BEGIN' | 'BEGIN IMMEDIATE'): void {
    if (this.#db.inTransaction) rollBackTransaction(this.#db)
    this.#statement(begin).run()
    this.#isWriting = begin === 'BEGIN IMMEDIATE'
    this.#followOthers()
    this.#bindings.begin()
    this.#known.keep(this.#isWriting)
  }

  /** Returns the error to throw. */
  #undo(error: unknown): unknown {
    this.#forget()
    rollBackTransaction(this.#db)
    return storageError(error)
  }

  /** What a transaction read before it was undone is read again. */
  #forget(): void {
    this.#tables.clear()
    this.#known.clear()
    this.#recent.clear()
    this.#rows.forget()
    this.#words.forget()
    this.#changes.forget()
    this.#entered = new WeakSet()
    this.#bindings = new Bindings(this.#db)
  }

  #transactor(): RecordTransactor {
    return {
      ...jobStatements(this.#db, {
        countOf: (object) => this.#count(object),
        indexWords: (object, id) => this.#indexWords(object, id),
      }),
      ...erasureStatements(this.#db, {
        flush: () => this.#changes.flush(),
        forget: () => this.#changes.forget(),
      }),
      ...archiveStatements(this.#db),
      get: async (object, ids) => this.#get(object, ids),
      find: async (object, field, value, limit) => this.#find(object, field, value, limit),
      boundGenerations: async () => this.#bindings.generations(),
      objects: async () => objectsWithTables(this.#db),
      effects: async (after, limit) => readEffects(this.#db, after, limit),
      history: async (object, record, page) => this.#changes.historyOf(object, record, page),
      appendChange: async (change) => this.#changes.append(change),
      position: async () => this.#position(),
      changedObjects: async (after) => this.#changes.objectsAfter(after),
      keptReply: async (caller, key) => replyOf(this.#db, caller, key),
      keepReply: async (reply, since) => keepReply(this.#db, reply, since),
      uses: async (client) => usesOfClient(this.#db, client),
      noteUses: async (uses) => noteUses(this.#db, uses),
      append: async (effect) => appendEffect(this.#db, effect),
      query: async (query) => this.#query(query),
      search: async (search) => this.#search(search),
      page: async (object, after, limit) => this.#page(object, after, limit),
      enter: async (tables) => this.#enter(tables),
      insert: async (record) => this.#insert(record),
      update: async (record) => this.#update(record),
      remove: async (object, id) => this.#remove(object, id),
      savepoint: (work) => this.#savepoint(work),
    }
  }

  /** Called before SQL reads or changes tables of objects. */
  #writeRows(): void {
    this.#rows.flush()
    this.#known.writeChanges()
  }

  /** Called before a commit and before a savepoint. */
  #writePending(): void {
    this.#writeRows()
    this.#changes.flush()
    this.#words.flush()
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

  #enter(tables: readonly RecordTable[]): void {
    for (const table of tables) {
      if (this.#entered.has(table)) continue
      this.#writeRows()
      if (enterTable(this.#db, table)) {
        this.#tables.delete(table.id)
        this.#known.clear()
      }
      this.#entered.add(table)
    }
  }

  #table(object: ObjectId): MappedTable | null {
    let table = this.#tables.get(object)
    if (table === undefined) this.#tables.set(object, (table = mappedTable(this.#db, object)))
    return table
  }

  #position(): number {
    if (this.#isWriting) return this.#changes.last()
    return (this.#lastChange ??= this.#changes.last())
  }

  #tableOf(object: ObjectId): MappedTable {
    const table = this.#table(object)
    if (table === null) throw new Error(`${object} has no table: enter it first.`)
    return table
  }

  #select(object: ObjectId, clause: string, values: readonly unknown[]): StoredRecord[] {
    const table = this.#table(object)
    if (table === null) return []
    return this.#selectRows(table, clause, values).map((row) => this.#recordOf(object, table, row))
  }

  #selectRows({ selected, name }: MappedTable, clause: string, values: readonly unknown[]): Row[] {
    this.#writeRows()
    return this.#statement(`SELECT ${selected} FROM ${name} ${clause}`).all(...values) as Row[]
  }

  #get(object: ObjectId, ids: readonly string[]): StoredRecord[] {
    if (ids.length === 0) return []
    if (ids.length === 1) return this.#getOne(object, ids[0]!)
    return this.#select(object, 'WHERE id IN (SELECT value FROM json_each(?))', [JSON.stringify(ids)])
  }

  #getOne(object: ObjectId, id: string): StoredRecord[] {
    const table = this.#table(object)
    if (table === null) return []
    const known = this.#isWriting
      ? this.#known.get(object, id, (row) => this.#recordOf(object, table, row))
      : this.#recent.get(object, id)
    if (known !== undefined) return [known]
    const [row] = this.#selectRows(table, 'WHERE id = ?', [id])
    if (row === undefined) return []
    const record = this.#recordOf(object, table, row)
    if (this.#isWriting) this.#known.put(object, id, row, record)
    else this.#recent.put(record)
    return [record]
  }

  #find(object: ObjectId, field: FieldId, value: FieldValue, limit = -1): StoredRecord[] {
    const column = this.#table(object)?.columns.find(({ id }) => id === field)
    if (column === undefined) return []
    const encoded = column.encoding.encode(value)
    return this.#select(object, `WHERE ${column.value} = ? ORDER BY id LIMIT ?`, [encoded, limit])
  }

  #query(query: RecordQuery): QueryPage {
    const table = this.#table(query.object)
    if (table === null || query.anyOf.length === 0) return noHits
    this.#writeRows()
    const found = withinSqlLimits(() => findPlaces(this.#db, query, table, (object) => this.#table(object)))
    return readPlaces(found, (ids) => this.#get(query.object, ids))
  }

  #search(search: RecordSearch): QueryPage {
    const { object, anyOf } = search
    const table = this.#table(object)
    if (table === null || anyOf.length === 0) return noHits
    this.#writeRows()
    const read = (ids: readonly string[]): StoredRecord[] => this.#get(object, ids)
    const found = withinSqlLimits(() =>
      this.#words.search(search, { table, tables: (id) => this.#table(id), read }),
    )
    return readPlaces(found, read)
  }

  #count(object: ObjectId): number {
    const table = this.#table(object)
    if (table === null) return 0
    this.#writeRows()
    return Number(this.#statement(`SELECT count(*) AS count FROM ${table.name}`).pluck().get())
  }

  #page(object: ObjectId, after: string | null, limit: number): StoredRecord[] {
    return this.#select(object, 'WHERE id > ? ORDER BY id LIMIT ?', [after ?? '', limit])
  }

  #insert(record: StoredRecord): void {
    const table = this.#tableOf(record.object)
    const row = this.#rowOf(record, table)
    this.#rows.insert(table, row)
    this.#known.put(record.object, record.id, row)
    this.#words.replace(table, record.id, [], wordsOfRecord(table, record))
  }

  #update(record: StoredRecord): void {
    const { object, id } = record
    const table = this.#tableOf(object)
    const [before] = this.#getOne(object, id)
    if (before === undefined || hasOtherWords(table, before, record))
      this.#words.replace(
        table,
        id,
        before === undefined ? [] : wordsOfRecord(table, before),
        wordsOfRecord(table, record),
      )
    // Others ask which generations are bound, before the record is written.
    for (const binding of record.bindings.values()) this.#bindings.idOf(binding)
    if (this.#known.change(record)) return
    this.#rows.update(table, this.#rowOf(record, table))
  }

  #write(record: StoredRecord, before: Row): Row {
    const table = this.#tableOf(record.object)
    const row = this.#rowOf(record, table)
    this.#rows.update(table, row, before)
    return row
  }

  #remove(object: ObjectId, id: string): void {
    const table = this.#table(object)
    if (table === null) return
    this.#writeRows()
    this.#words.replace(table, id, this.#storedWords(table, object, id), [])
    this.#known.delete(object, id)
    this.#statement(`DELETE FROM ${table.name} WHERE id = ?`).run(id)
  }

  /** A record that was written before its fields were searched. */
  #indexWords(object: ObjectId, id: string): void {
    const table = this.#table(object)
    if (table !== null) this.#words.replace(table, id, [], this.#storedWords(table, object, id))
  }

  #storedWords(table: MappedTable, object: ObjectId, id: string): WordRow[] {
    if (!table.columns.some(({ searched }) => searched)) return []
    return this.#getOne(object, id).flatMap((record) => wordsOfRecord(table, record))
  }

  #rowOf({ values, bindings, inputs, ...record }: StoredRecord, table: MappedTable): Row {
    const row: Row = {
      id: record.id,
      version: BigInt(record.version),
      created_at: record.createdAt,
      created_by: record.createdBy,
      changed_at: record.changedAt,
      changed_by: record.changedBy,
    }
    for (const column of table.columns) {
      row[column.value] = column.encoding.encode(values.get(column.id) ?? null)
      if (!column.bound) continue
      const binding = bindings.get(column.id)
      const kept = inputs.get(column.id)
      row[column.binding] = binding === undefined ? null : BigInt(this.#bindings.idOf(binding))
      row[column.inputs] = kept === undefined ? null : JSON.stringify(kept)
    }
    row['digest'] = recordDigest(row, table)
    return row
  }

  #recordOf(object: ObjectId, table: MappedTable, row: Row): StoredRecord {
    const values = new Map<FieldId, FieldValue>()
    const bindings = new Map<FieldId, StoredBinding>()
    const inputs = new Map<FieldId, KeptInputs>()
    for (const column of table.columns) {
      const value = row[column.value] ?? null
      if (value !== null) values.set(column.id, column.encoding.decode(value))
      if (!column.bound) continue
      const binding = row[column.binding] ?? null
      if (binding !== null) bindings.set(column.id, this.#bindings.at(Number(binding)))
      const kept = row[column.inputs] ?? null
      if (kept !== null) inputs.set(column.id, JSON.parse(kept as string) as KeptInputs)
    }
    return {
      id: row['id'] as string,
      object,
      version: Number(row['version']),
      createdAt: row['created_at'] as string,
      createdBy: row['created_by'] as string,
      changedAt: row['changed_at'] as string,
      changedBy: row['changed_by'] as string,
      values,
      bindings,
      inputs,
    }
  }

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#db.prepare<unknown[]>(sql).safeIntegers()
      this.#statements.set(sql, statement)
    }
    return statement
  }
}
