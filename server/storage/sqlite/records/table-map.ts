// Which table and which columns contain the records of an object. Tables and columns are only added.
import type { ObjectFieldType } from '#kernel/components/field-types.ts'
import type { FieldId, ObjectId } from '#kernel/records/index.ts'
import type { RecordColumn, RecordTable } from '../../../ports/record-table.ts'
import { all, insertReturningId, one, run, type Db } from '../db.ts'
import { encodingOf } from './encoding.ts'
import {
  columnNames,
  recordColumns,
  recordDigest,
  type MappedColumn,
  type MappedTable,
  type Row,
} from './rows.ts'

/** Null if the object has no table yet, and so no records. */
export function mappedTable(db: Db, object: ObjectId): MappedTable | null {
  const table = tableOf(db, object)
  if (table === undefined) return null
  const { number } = table
  const columns = columnsOf(db, number).map(mapColumn)
  const stored = [...recordColumns, ...columnNames({ columns })]
  const written = [...stored, 'digest']
  return { number, name: `record_${number}`, columns, selected: stored.join(', '), written }
}

/** The tables of all objects that have had records. */
export function mappedTables(db: Db): (MappedTable & { object: ObjectId })[] {
  return objectsWithTables(db).map((object) => ({ object, ...mappedTable(db, object)! }))
}

export function objectsWithTables(db: Db): ObjectId[] {
  const rows = all<{ object: ObjectId }>(db, 'SELECT object FROM record_table ORDER BY number')
  return rows.map(({ object }) => object)
}

/** The fields whose words are indexed for all records. */
export function indexedColumns(db: Db, number: number): Set<FieldId> {
  return new Set(
    columnsOf(db, number).flatMap(({ id, searched, worded }) => (searched && worded ? [id] : [])),
  )
}

/** Whether `enterTable` has nothing to add. */
export function hasRoomFor(db: Db, { id, columns }: RecordTable): boolean {
  const table = tableOf(db, id)
  if (table === undefined) return false
  const known = new Map(columnsOf(db, table.number).map((column) => [column.id, column]))
  return columns.every(
    (column) => isSame(known.get(column.id), column) && !isReleased(known.get(column.id), column),
  )
}

/** Adds what an object needs. Returns whether something was added. */
export function enterTable(db: Db, { id, columns }: RecordTable): boolean {
  let table = tableOf(db, id)
  const isNew = table === undefined
  if (table === undefined) table = createTable(db, id)
  const { number } = table
  const known = new Map(columnsOf(db, number).map((column) => [column.id, column]))
  const changed = columns.filter((column) => !isSame(known.get(column.id), column))
  const before = columnsOf(db, number).map(mapColumn)
  const isEmpty = isNew || one(db, `SELECT 1 FROM record_${number} LIMIT 1`) === undefined
  for (const column of columns)
    if (isReleased(known.get(column.id), column))
      run(db, 'UPDATE record_column SET filled = 0 WHERE number = ? AND field = ?', number, column.id)
  for (const column of changed) addColumn(db, number, known.get(column.id), column, isEmpty)
  // Values in new columns are covered by new digests.
  if (changed.some(({ id }) => known.has(id))) renewDigests(db, number, before)
  return isNew || changed.length > 0
}

function isSame(known: RecordColumn | undefined, column: RecordColumn): boolean {
  return (
    known !== undefined &&
    (known.bound || !column.bound) &&
    (known.indexed || !column.indexed) &&
    (known.searched || !column.searched) &&
    mapColumn(known).value === mapColumn(column).value
  )
}

/** Whether the values of a column are entered that were computed: if they are computed again, each record is filled. */
function isReleased(known: KnownColumn | undefined, column: RecordColumn): boolean {
  return known?.bound === true && known.filled && !column.bound
}

function createTable(db: Db, object: ObjectId): { number: number } {
  const number = Number(insertReturningId(db, 'INSERT INTO record_table (object) VALUES (?)', object))
  db.exec(`CREATE TABLE record_${number} (
    id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    created_by TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    changed_by TEXT NOT NULL,
    digest TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`)
  return { number }
}

/** @param isEmpty whether the table has no records, so that no values are missing */
function addColumn(
  db: Db,
  number: number,
  known: KnownColumn | undefined,
  column: RecordColumn,
  isEmpty: boolean,
): void {
  const table = `record_${number}`
  const to = mapColumn(column)
  const from = known === undefined ? undefined : mapColumn(known)
  if (from?.value !== to.value) {
    db.exec(`ALTER TABLE ${table} ADD COLUMN ${to.value} ${to.encoding.sqlType}`)
    if (from !== undefined) copyValues(db, table, from, to)
  }
  if (to.bound && from?.bound !== true)
    db.exec(
      `ALTER TABLE ${table} ADD COLUMN ${to.binding} INTEGER; ALTER TABLE ${table} ADD COLUMN ${to.inputs} TEXT`,
    )
  if (to.indexed && (from?.indexed !== true || from.value !== to.value)) db.exec(indexSql(table, to))
  const { id, type, precision = null, scale = null } = column
  const indexed = Number(column.indexed || known?.indexed === true)
  const bound = Number(column.bound || known?.bound === true)
  const filled = Number(!column.bound || isEmpty || (known?.bound === true && known.filled))
  const searched = Number(column.searched || known?.searched === true)
  // A column without values has no words to index.
  const worded = Number(searched === 0 || isEmpty || known === undefined || (known.searched && known.worded))
  run(
    db,
    `INSERT OR REPLACE INTO record_column
     (number, field, type, precision, scale, indexed, bound, filled, searched, worded)
     VALUES (@number, @id, @type, @precision, @scale, @indexed, @bound, @filled, @searched, @worded)`,
    { number, id, type, precision, scale, indexed, bound, filled, searched, worded },
  )
}

export const indexName = (table: string, { value }: MappedColumn): string => `${table}_${value}`

export function indexSql(table: string, column: MappedColumn): string {
  return `CREATE INDEX ${indexName(table, column)} ON ${table} (${column.value}, id)`
}

/** A number that has outgrown its column keeps its values. */
function copyValues(db: Db, table: string, from: MappedColumn, to: MappedColumn): void {
  const rows = db
    .prepare(`SELECT id, ${from.value} AS value FROM ${table} WHERE ${from.value} IS NOT NULL`)
    .safeIntegers()
  const put = db.prepare(`UPDATE ${table} SET ${to.value} = ? WHERE id = ?`)
  for (const { id, value } of rows.all() as { id: string; value: bigint | string }[])
    put.run(to.encoding.encode(from.encoding.decode(value)), id)
}

/** A row that did not match its digest does not match its new one. */
function renewDigests(db: Db, number: number, before: readonly MappedColumn[]): void {
  const after = columnsOf(db, number).map(mapColumn)
  const names = new Set([...recordColumns, ...[before, after].flatMap((columns) => columnNames({ columns }))])
  const table = `record_${number}`
  const rows = db.prepare(`SELECT ${[...names].join(', ')}, digest FROM ${table}`).safeIntegers()
  const put = db.prepare(`UPDATE ${table} SET digest = ? WHERE id = ?`)
  for (const row of rows.all() as Row[]) {
    const isIntact = row['digest'] === recordDigest(row, { columns: before })
    put.run(isIntact ? recordDigest(row, { columns: after }) : '', row['id'])
  }
}

function tableOf(db: Db, object: ObjectId): { number: number } | undefined {
  return one<{ number: number }>(db, 'SELECT number FROM record_table WHERE object = ?', object)
}

interface ColumnRow {
  field: number
  type: ObjectFieldType
  precision: number | null
  scale: number | null
  indexed: number
  bound: number
  filled: number
  searched: number
  worded: number
}

interface KnownColumn extends RecordColumn {
  /** Whether its values are computed for all records. */
  filled: boolean
  /** Whether its words are indexed for all records. */
  worded: boolean
}

function columnsOf(db: Db, number: number): KnownColumn[] {
  const rows = all<ColumnRow>(
    db,
    `SELECT field, type, precision, scale, indexed, bound, filled, searched, worded
     FROM record_column WHERE number = ? ORDER BY field`,
    number,
  )
  return rows.map(({ field, type, precision, scale, indexed, bound, filled, searched, worded }) => ({
    id: field as FieldId,
    type,
    ...(precision === null ? {} : { precision }),
    ...(scale === null ? {} : { scale }),
    indexed: indexed === 1,
    bound: bound === 1,
    filled: filled === 1,
    searched: searched === 1,
    worded: worded === 1,
  }))
}

function mapColumn(column: RecordColumn): MappedColumn {
  const { id, bound, indexed, searched } = column
  const encoding = encodingOf(column)
  const value = `f${id}${encoding.suffix}`
  return { id, bound, indexed, searched, value, binding: `b${id}`, inputs: `i${id}`, encoding }
}
