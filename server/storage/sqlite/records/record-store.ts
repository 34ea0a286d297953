// Records in SQLite: one table an object, one column a field, on one connection.
import type Database from 'better-sqlite3'
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { Binding } from '#kernel/config/index.ts'
import { RecentCache } from '#kernel/memo/recent-cache.ts'
import type { FieldId, KeptInputs, ObjectId } from '#kernel/records/index.ts'
import type {
  RecordReader,
  RecordStore,
  RecordTable,
  RecordTransactor,
  StoredRecord,
} from '../../../ports/record-store.ts'
import { insertReturningId, one, type Db } from '../db.ts'
import { storageError } from '../storage-error.ts'
import { rollBackTransaction } from '../transaction.ts'
import { appendChange, historyOf } from './changes.ts'
import { appendEffect, readEffects } from './effects.ts'
import type { SqlValue } from './encoding.ts'
import { enterTable, mappedTable, recordSchema, type MappedTable } from './table-map.ts'

type Row = Record<string, SqlValue>
type Statement = Database.Statement<unknown[]>

const recordColumns = ['id', 'version', 'created_at', 'created_by', 'changed_at', 'changed_by'] as const

/** Number of different bindings that are kept parsed. */
const maxBindings = 5000

export class SqliteRecordStore implements RecordStore {
  readonly #db: Db
  readonly #tables = new Map<ObjectId, MappedTable | null>()
  #entered = new WeakSet<RecordTable>()
  #bindingIds = new RecentCache<number>(maxBindings)
  #bindings = new RecentCache<Binding>(maxBindings)
  readonly #statements = new Map<string, Statement>()
  /** Transactions follow each other on the connection. */
  #last: Promise<unknown> = Promise.resolve()
  #openSaves = 0

  constructor(db: Db) {
    this.#db = db
    db.exec(recordSchema)
  }

  read<T>(work: (reader: RecordReader) => Promise<T>): Promise<T> {
    return this.#transaction('BEGIN', () => work(this.#transactor()))
  }

  write<T>(work: (transactor: RecordTransactor) => Promise<T>): Promise<T> {
    return this.#transaction('BEGIN IMMEDIATE', () => work(this.#transactor()))
  }

  async close(): Promise<void> {
    await this.#last
    this.#db.close()
  }

  #transaction<T>(begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: () => Promise<T>): Promise<T> {
    const run = async (): Promise<T> => {
      const db = this.#db
      if (db.inTransaction) rollBackTransaction(db)
      try {
        db.exec(begin)
        const result = await work()
        db.exec('COMMIT')
        return result
      } catch (error) {
        this.#forget()
        rollBackTransaction(db)
        throw storageError(error)
      }
    }
    const result = this.#last.then(run)
    this.#last = result.catch(() => undefined)
    return result
  }

  /** What a transaction read before it was undone is read again. */
  #forget(): void {
    this.#tables.clear()
    this.#entered = new WeakSet()
    this.#bindingIds = new RecentCache(maxBindings)
    this.#bindings = new RecentCache(maxBindings)
  }

  #transactor(): RecordTransactor {
    return {
      get: async (object, ids) => this.#get(object, ids),
      find: async (object, field, value, limit) => this.#find(object, field, value, limit),
      boundGenerations: async () => this.#boundGenerations(),
      effects: async (after, limit) => readEffects(this.#db, after, limit),
      history: async (object, record) => historyOf(this.#db, object, record),
      appendChange: async (change) => appendChange(this.#db, change),
      append: async (effect) => appendEffect(this.#db, effect),
      page: async (object, after, limit) => this.#page(object, after, limit),
      enter: async (tables) => this.#enter(tables),
      insert: async (record) => this.#put(record, 'INSERT'),
      update: async (record) => this.#put(record, 'UPDATE'),
      remove: async (object, id) => this.#remove(object, id),
      savepoint: (work) => this.#savepoint(work),
    }
  }

  async #savepoint<T>(work: () => Promise<T>): Promise<T> {
    const name = `save_${(this.#openSaves += 1)}`
    this.#db.exec(`SAVEPOINT ${name}`)
    try {
      const result = await work()
      this.#db.exec(`RELEASE ${name}`)
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
      if (enterTable(this.#db, table)) this.#tables.delete(table.id)
      this.#entered.add(table)
    }
  }

  #table(object: ObjectId): MappedTable | null {
    let table = this.#tables.get(object)
    if (table === undefined) this.#tables.set(object, (table = mappedTable(this.#db, object)))
    return table
  }

  #select(object: ObjectId, clause: string, values: readonly unknown[]): StoredRecord[] {
    const table = this.#table(object)
    if (table === null) return []
    const columns = [...recordColumns, ...columnNames(table)].join(', ')
    const rows = this.#statement(`SELECT ${columns} FROM ${table.name} ${clause}`).all(...values) as Row[]
    return rows.map((row) => this.#recordOf(object, table, row))
  }

  #get(object: ObjectId, ids: readonly string[]): StoredRecord[] {
    if (ids.length === 0) return []
    return this.#select(object, 'WHERE id IN (SELECT value FROM json_each(?))', [JSON.stringify(ids)])
  }

  #find(object: ObjectId, field: FieldId, value: FieldValue, limit = -1): StoredRecord[] {
    const column = this.#table(object)?.columns.find(({ id }) => id === field)
    if (column === undefined) return []
    const encoded = column.encoding.encode(value)
    return this.#select(object, `WHERE ${column.value} = ? ORDER BY id LIMIT ?`, [encoded, limit])
  }

  #page(object: ObjectId, after: string | null, limit: number): StoredRecord[] {
    return this.#select(object, 'WHERE id > ? ORDER BY id LIMIT ?', [after ?? '', limit])
  }

  #put(record: StoredRecord, verb: 'INSERT' | 'UPDATE'): void {
    const table = this.#table(record.object)
    if (table === null) throw new Error(`${record.object} has no table: enter it first.`)
    const names = [...recordColumns, ...columnNames(table)]
    const sql =
      verb === 'INSERT'
        ? `INSERT INTO ${table.name} (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`
        : `UPDATE ${table.name} SET ${names.map((name) => `${name} = @${name}`).join(', ')} WHERE id = @id`
    this.#statement(sql).run(this.#rowOf(record, table))
  }

  #remove(object: ObjectId, id: string): void {
    const table = this.#table(object)
    if (table !== null) this.#statement(`DELETE FROM ${table.name} WHERE id = ?`).run(id)
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
      row[column.binding] = binding === undefined ? null : BigInt(this.#bindingId(binding))
      row[column.inputs] = kept === undefined ? null : JSON.stringify(kept)
    }
    return row
  }

  #recordOf(object: ObjectId, table: MappedTable, row: Row): StoredRecord {
    const values = new Map<FieldId, FieldValue>()
    const bindings = new Map<FieldId, Binding>()
    const inputs = new Map<FieldId, KeptInputs>()
    for (const column of table.columns) {
      const value = row[column.value] ?? null
      if (value !== null) values.set(column.id, column.encoding.decode(value))
      if (!column.bound) continue
      const binding = row[column.binding] ?? null
      if (binding !== null) bindings.set(column.id, this.#binding(Number(binding)))
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

  /** Equal bindings are stored once: most records have those of others. */
  #bindingId(binding: Binding): number {
    const text = JSON.stringify(binding)
    let id = this.#bindingIds.get(text)
    if (id === undefined) {
      id =
        one<{ id: number }>(this.#db, 'SELECT id FROM record_binding WHERE text = ?', text)?.id ??
        this.#addBinding(binding.generation, text)
      this.#bindingIds.put(text, id, 1)
    }
    return id
  }

  #addBinding(generation: number, text: string): number {
    const sql = 'INSERT INTO record_binding (generation, text) VALUES (?, ?)'
    return Number(insertReturningId(this.#db, sql, generation, text))
  }

  /** Looked up along the index, one step a generation. */
  #boundGenerations(): number[] {
    const sql = 'SELECT min(generation) AS generation FROM record_binding WHERE generation > ?'
    const generations: number[] = []
    for (let last = -1; ;) {
      const next = one<{ generation: number | null }>(this.#db, sql, last)?.generation ?? null
      if (next === null) return generations
      generations.push((last = next))
    }
  }

  #binding(id: number): Binding {
    let binding = this.#bindings.get(String(id))
    if (binding === undefined) {
      const row = one<{ text: string }>(this.#db, 'SELECT text FROM record_binding WHERE id = ?', id)
      binding = JSON.parse(row!.text) as Binding
      this.#bindings.put(String(id), binding, 1)
    }
    return binding
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

function columnNames({ columns }: MappedTable): string[] {
  return columns.flatMap(({ value, bound, binding, inputs }) => (bound ? [value, binding, inputs] : [value]))
}
