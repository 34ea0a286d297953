// Which table and which columns contain the records of an object. Tables and columns are only added.
import type { ObjectFieldType } from '#kernel/components/field-types.ts'
import type { FieldId, ObjectId } from '#kernel/records/index.ts'
import type { RecordColumn, RecordTable } from '../../../ports/record-store.ts'
import { all, insertReturningId, one, run, type Db } from '../db.ts'
import { encodingOf, type Encoding } from './encoding.ts'

export const recordSchema = `
CREATE TABLE IF NOT EXISTS record_table (number INTEGER PRIMARY KEY, object TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE IF NOT EXISTS record_column (
  number INTEGER NOT NULL REFERENCES record_table (number),
  field INTEGER NOT NULL,
  type TEXT NOT NULL,
  precision INTEGER,
  scale INTEGER,
  indexed INTEGER NOT NULL,
  bound INTEGER NOT NULL,
  PRIMARY KEY (number, field)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS record_binding (
  id INTEGER PRIMARY KEY,
  generation INTEGER NOT NULL,
  text TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE IF NOT EXISTS record_effect (
  sequence INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  automation TEXT NOT NULL,
  action TEXT NOT NULL,
  record TEXT NOT NULL,
  version INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  actor TEXT NOT NULL,
  at TEXT NOT NULL,
  body TEXT NOT NULL,
  deferred TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS record_change (
  sequence INTEGER PRIMARY KEY,
  object TEXT NOT NULL,
  record TEXT NOT NULL,
  version INTEGER NOT NULL,
  operation TEXT NOT NULL,
  at TEXT NOT NULL,
  by TEXT NOT NULL,
  correlation_id TEXT NOT NULL,
  generation INTEGER NOT NULL,
  fields TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS record_change_record ON record_change (record, sequence);
CREATE INDEX IF NOT EXISTS record_binding_generation ON record_binding (generation);
`

export interface MappedColumn {
  id: FieldId
  bound: boolean
  indexed: boolean
  /** Names of the columns with the value, the binding and the kept inputs. */
  value: string
  binding: string
  inputs: string
  encoding: Encoding
}

export interface MappedTable {
  name: string
  columns: readonly MappedColumn[]
}

/** Null if the object has no table yet, and so no records. */
export function mappedTable(db: Db, object: ObjectId): MappedTable | null {
  const table = tableOf(db, object)
  if (table === undefined) return null
  return { name: `record_${table.number}`, columns: columnsOf(db, table.number).map(mapColumn) }
}

/** Adds what an object needs. Returns whether something was added. */
export function enterTable(db: Db, { id, columns }: RecordTable): boolean {
  let table = tableOf(db, id)
  const isNew = table === undefined
  if (table === undefined) table = createTable(db, id)
  const { number } = table
  const known = new Map(columnsOf(db, number).map((column) => [column.id, column]))
  const changed = columns.filter((column) => !isSame(known.get(column.id), column))
  for (const column of changed) addColumn(db, number, known.get(column.id), column)
  return isNew || changed.length > 0
}

function isSame(known: RecordColumn | undefined, column: RecordColumn): boolean {
  return (
    known !== undefined &&
    (known.bound || !column.bound) &&
    (known.indexed || !column.indexed) &&
    mapColumn(known).value === mapColumn(column).value
  )
}

function createTable(db: Db, object: ObjectId): { number: number } {
  const number = Number(insertReturningId(db, 'INSERT INTO record_table (object) VALUES (?)', object))
  db.exec(`CREATE TABLE record_${number} (
    id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    created_by TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    changed_by TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`)
  return { number }
}

function addColumn(db: Db, number: number, known: RecordColumn | undefined, column: RecordColumn): void {
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
  if (to.indexed) db.exec(`CREATE INDEX IF NOT EXISTS ${table}_${to.value} ON ${table} (${to.value}, id)`)
  const { id, type, precision = null, scale = null } = column
  const indexed = Number(column.indexed || known?.indexed === true)
  const bound = Number(column.bound || known?.bound === true)
  run(
    db,
    `INSERT OR REPLACE INTO record_column (number, field, type, precision, scale, indexed, bound)
     VALUES (@number, @id, @type, @precision, @scale, @indexed, @bound)`,
    { number, id, type, precision, scale, indexed, bound },
  )
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
}

function columnsOf(db: Db, number: number): RecordColumn[] {
  const rows = all<ColumnRow>(
    db,
    `SELECT field, type, precision, scale, indexed, bound FROM record_column WHERE number = ? ORDER BY field`,
    number,
  )
  return rows.map(({ field, type, precision, scale, indexed, bound }) => ({
    id: field as FieldId,
    type,
    ...(precision === null ? {} : { precision }),
    ...(scale === null ? {} : { scale }),
    indexed: indexed === 1,
    bound: bound === 1,
  }))
}

function mapColumn(column: RecordColumn): MappedColumn {
  const { id, bound, indexed } = column
  const encoding = encodingOf(column)
  const value = `f${id}${encoding.suffix}`
  return { id, bound, indexed, value, binding: `b${id}`, inputs: `i${id}`, encoding }
}
