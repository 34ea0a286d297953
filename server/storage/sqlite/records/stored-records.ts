// Reads and writes the rows of records, one table an object. What is written is kept together until something else reads it.
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { FieldId, ObjectId } from '#kernel/records/index.ts'
import type { RecordCount, RecordQuery, RecordSearch } from '../../../ports/record-query.ts'
import type { QueryPage, StoredRecord } from '../../../ports/record-store.ts'
import type { RecordTable } from '../../../ports/record-table.ts'
import type { Db } from '../db.ts'
import { Bindings } from './bindings.ts'
import type { SqlValue } from './encoding.ts'
import { KnownRecords } from './known-records.ts'
import { KnownTables } from './known-tables.ts'
import { countPlaces, findPlaces, readPlaces } from './query-page.ts'
import { RecentRecords } from './recent-records.ts'
import { recordOf, rowOf } from './record-rows.ts'
import { RowWriter } from './row-writer.ts'
import type { MappedTable, Row } from './rows.ts'
import { withinSqlLimits } from './sql-limits.ts'
import type { Statements } from './statements.ts'
import { WordIndex } from './word-index.ts'
import { hasOtherWords, wordsOfRecord, type WordRow } from './words.ts'

const noHits: QueryPage = { hits: [], hasMore: false }

export class StoredRecords {
  readonly #db: Db
  readonly #statement: Statements
  readonly #tables: KnownTables
  readonly #words: WordIndex
  readonly #rows: RowWriter
  readonly #known = new KnownRecords((record, before) => this.#write(record, before))
  readonly #recent = new RecentRecords()
  #bindings: Bindings
  #isWriting = false

  /** @param few how many records a search looks at one by one */
  constructor(db: Db, statement: Statements, few: number) {
    this.#db = db
    this.#statement = statement
    this.#tables = new KnownTables(db)
    this.#bindings = new Bindings(db)
    this.#rows = new RowWriter(statement)
    this.#words = new WordIndex(db, statement, few)
  }

  /** Called when a transaction begins. */
  begin(isWriting: boolean): void {
    this.#isWriting = isWriting
    this.#bindings.begin()
    this.#known.keep(isWriting)
  }

  /** Called when a transaction has ended. */
  end(): void {
    this.#isWriting = false
    this.#known.keep(false)
  }

  /** Called when anything was written that this connection did not keep. */
  forgetRecent(): void {
    this.#recent.clear()
  }

  /** What a transaction read before it was undone is read again. */
  forget(): void {
    this.#tables.forget()
    this.#known.clear()
    this.#recent.clear()
    this.#rows.forget()
    this.#words.forget()
    this.#bindings = new Bindings(this.#db)
  }

  /** Called before SQL reads or changes tables of objects. */
  writeRows(): void {
    this.#rows.flush()
    this.#known.writeChanges()
  }

  /** Called before a commit and before a savepoint, after `writeRows`. */
  writeWords(): void {
    this.#words.flush()
  }

  enter(tables: readonly RecordTable[]): void {
    for (const table of tables) {
      if (this.#tables.isEntered(table)) continue
      this.writeRows()
      if (this.#tables.enter(table)) this.#known.clear()
    }
  }

  hasRoomFor(table: RecordTable): boolean {
    return this.#tables.hasRoomFor(table)
  }

  table(object: ObjectId): MappedTable | null {
    return this.#tables.find(object)
  }

  boundGenerations(): readonly number[] {
    return this.#bindings.generations()
  }

  get(object: ObjectId, ids: readonly string[]): StoredRecord[] {
    if (ids.length === 0) return []
    if (ids.length === 1) return this.#getOne(object, ids[0]!)
    return this.#select(object, 'WHERE id IN (SELECT value FROM json_each(?))', [JSON.stringify(ids)])
  }

  find(object: ObjectId, field: FieldId, value: FieldValue, limit = -1): StoredRecord[] {
    const column = this.table(object)?.columns.find(({ id }) => id === field)
    if (column === undefined) return []
    const encoded = column.encoding.encode(value)
    return this.#select(object, `WHERE ${column.value} = ? ORDER BY id LIMIT ?`, [encoded, limit])
  }

  /** The records with any of these values of an indexed field, in the order of their ids. */
  findAny(object: ObjectId, field: FieldId, values: readonly FieldValue[], limit: number): StoredRecord[] {
    const column = this.table(object)?.columns.find(({ id }) => id === field)
    if (column === undefined) return []
    const list = values.map((value) => jsonOf(column.encoding.encode(value)))
    const clause = `WHERE ${column.value} IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT ?`
    return this.#select(object, clause, [`[${list.join(',')}]`, limit])
  }

  query(query: RecordQuery): QueryPage {
    const table = this.table(query.object)
    if (table === null || query.anyOf.length === 0) return noHits
    this.writeRows()
    const found = withinSqlLimits(() => findPlaces(this.#db, query, table, (object) => this.table(object)))
    return readPlaces(found, (ids) => this.get(query.object, ids))
  }

  countFound(query: RecordCount): number {
    const table = this.table(query.object)
    if (table === null || query.anyOf.length === 0) return 0
    this.writeRows()
    return withinSqlLimits(() => countPlaces(this.#db, query, table, (object) => this.table(object)))
  }

  search(search: RecordSearch): QueryPage {
    const { object, anyOf } = search
    const table = this.table(object)
    if (table === null || anyOf.length === 0) return noHits
    this.writeRows()
    const read = (ids: readonly string[]): StoredRecord[] => this.get(object, ids)
    const found = withinSqlLimits(() =>
      this.#words.search(search, { table, tables: (id) => this.table(id), read }),
    )
    return readPlaces(found, read)
  }

  count(object: ObjectId): number {
    const table = this.table(object)
    if (table === null) return 0
    this.writeRows()
    return Number(this.#statement(`SELECT count(*) AS count FROM ${table.name}`).pluck().get())
  }

  page(object: ObjectId, after: string | null, limit: number): StoredRecord[] {
    return this.#select(object, 'WHERE id > ? ORDER BY id LIMIT ?', [after ?? '', limit])
  }

  insert(record: StoredRecord): void {
    const table = this.#tables.get(record.object)
    const row = rowOf(record, table, this.#bindings)
    this.#rows.insert(table, row)
    this.#known.put(record.object, record.id, row)
    this.#words.replace(table, record.id, [], wordsOfRecord(table, record))
  }

  update(record: StoredRecord): void {
    const { object, id } = record
    const table = this.#tables.get(object)
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
    this.#rows.update(table, rowOf(record, table, this.#bindings))
  }

  remove(object: ObjectId, id: string): void {
    const table = this.table(object)
    if (table === null) return
    this.writeRows()
    this.#words.replace(table, id, this.#storedWords(table, object, id), [])
    this.#known.delete(object, id)
    this.#statement(`DELETE FROM ${table.name} WHERE id = ?`).run(id)
  }

  /** A record that was written before its fields were searched. */
  indexWords(object: ObjectId, id: string): void {
    const table = this.table(object)
    if (table !== null) this.#words.replace(table, id, [], this.#storedWords(table, object, id))
  }

  #storedWords(table: MappedTable, object: ObjectId, id: string): WordRow[] {
    if (!table.columns.some(({ searched }) => searched)) return []
    return this.#getOne(object, id).flatMap((record) => wordsOfRecord(table, record))
  }

  #write(record: StoredRecord, before: Row): Row {
    const table = this.#tables.get(record.object)
    const row = rowOf(record, table, this.#bindings)
    this.#rows.update(table, row, before)
    return row
  }

  #getOne(object: ObjectId, id: string): StoredRecord[] {
    const table = this.table(object)
    if (table === null) return []
    const known = this.#isWriting
      ? this.#known.get(object, id, (row) => recordOf(object, table, row, this.#bindings))
      : this.#recent.get(object, id)
    if (known !== undefined) return [known]
    const [row] = this.#selectRows(table, 'WHERE id = ?', [id])
    if (row === undefined) return []
    const record = recordOf(object, table, row, this.#bindings)
    if (this.#isWriting) this.#known.put(object, id, row, record)
    else this.#recent.put(record)
    return [record]
  }

  #select(object: ObjectId, clause: string, values: readonly unknown[]): StoredRecord[] {
    const table = this.table(object)
    if (table === null) return []
    const rows = this.#selectRows(table, clause, values)
    return rows.map((row) => recordOf(object, table, row, this.#bindings))
  }

  #selectRows({ selected, name }: MappedTable, clause: string, values: readonly unknown[]): Row[] {
    this.writeRows()
    return this.#statement(`SELECT ${selected} FROM ${name} ${clause}`).all(...values) as Row[]
  }
}

/** SQLite reads integers of JSON exactly. */
const jsonOf = (value: SqlValue): string =>
  typeof value === 'bigint' ? value.toString() : JSON.stringify(value)
