// Checks the file itself: SQLite's own check, and the schema of this Almanac.
import Database from 'better-sqlite3'
import type { Finding } from '#kernel/errors/finding.ts'
import { all, type Db } from '../db.ts'
import { migrate } from '../migrate.ts'
import { fault } from './fault.ts'

interface SchemaRow {
  type: string
  name: string
  tbl_name: string
  sql: string | null
}

export function fileFaults(db: Db): Finding[] {
  const messages = (db.pragma('integrity_check(20)') as { integrity_check: string }[]).map(
    (row) => row.integrity_check,
  )
  const broken = messages.filter((text) => text !== 'ok')
  const lost = db.pragma('foreign_key_check') as { table: string; rowid: number | null; parent: string }[]
  return [
    ...broken.map((text) =>
      fault('integrity.file', 'org.sqlite', `The file is damaged: ${text}. Restore it from a backup.`),
    ),
    ...lost.map(({ table, rowid, parent }) =>
      fault(
        'integrity.reference',
        `${table}/${rowid ?? '?'}`,
        `A row of the table ${table} refers to a row of ${parent} that does not exist.`,
      ),
    ),
    ...schemaFaults(db),
  ]
}

function schemaFaults(db: Db): Finding[] {
  const expected = expectedSchema()
  const actual = new Map(schemaOf(db).map((row) => [row.name, row]))
  const names = new Set([...expected.keys(), ...actual.keys()])
  return [...names]
    .filter((name) => !isRecordSchema(name))
    .filter((name) => JSON.stringify(expected.get(name)) !== JSON.stringify(actual.get(name)))
    .map((name) => fault('integrity.schema', `schema/${name}`, schemaWords(name, actual.has(name))))
}

/** Tables of records and their indexes follow from the objects of the org; record-faults.ts checks them. */
const isRecordSchema = (name: string): boolean => /^record_\d/.test(name)

let freshSchema: ReadonlyMap<string, SchemaRow> | undefined

/** The schema of a new org; read once, because the migrations take longer than the comparison. */
function expectedSchema(): ReadonlyMap<string, SchemaRow> {
  if (freshSchema !== undefined) return freshSchema
  const fresh = new Database(':memory:')
  try {
    migrate(fresh, ':memory:')
    return (freshSchema = new Map(schemaOf(fresh).map((row) => [row.name, row])))
  } finally {
    fresh.close()
  }
}

function schemaWords(name: string, isThere: boolean): string {
  return isThere
    ? `"${name}" in the database differs from what Almanac creates.`
    : `"${name}" is missing from the database.`
}

/** Omits SQLite's own tables, which are created on demand. */
function schemaOf(db: Db): SchemaRow[] {
  return all<SchemaRow>(
    db,
    `SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
  )
}
