// Checks the files themselves: SQLite's own check, and the schema of this Almanac.
import Database from 'better-sqlite3'
import type { Finding } from '#kernel/errors/finding.ts'
import { all, type Db } from '../db.ts'
import { migrate } from '../migrate.ts'
import { isOfRecords, ownTables, recordsSchema } from '../records/records-file.ts'
import { fault } from './fault.ts'

type Schema = 'main' | 'records'

interface SchemaRow {
  schema: Schema
  type: string
  name: string
  tbl_name: string
  sql: string | null
}

export function fileFaults(db: Db): Finding[] {
  return [...schemasOf(db).flatMap((schema) => pageFaults(db, schema)), ...schemaFaults(db)]
}

const schemasOf = (db: Db): readonly Schema[] =>
  recordsSchema(db) === 'records' ? ['main', 'records'] : ['main']

function pageFaults(db: Db, schema: Schema): Finding[] {
  const messages = (db.pragma(`${schema}.integrity_check(20)`) as { integrity_check: string }[]).map(
    (row) => row.integrity_check,
  )
  const broken = messages.filter((text) => text !== 'ok')
  const lost = db.pragma(`${schema}.foreign_key_check`) as {
    table: string
    rowid: number | null
    parent: string
  }[]
  const file = schema === 'main' ? 'org.sqlite' : 'records.sqlite'
  return [
    ...broken.map((text) =>
      fault('integrity.file', file, `The file is damaged: ${text}. Restore it from a backup.`),
    ),
    ...lost.map(({ table, rowid, parent }) =>
      fault(
        'integrity.reference',
        `${table}/${rowid ?? '?'}`,
        `A row of the table ${table} refers to a row of ${parent} that does not exist.`,
      ),
    ),
  ]
}

function schemaFaults(db: Db): Finding[] {
  const schemas = schemasOf(db)
  const expected = expectedSchema(schemas.includes('records'))
  const actual = byName(schemas.flatMap((schema) => schemaOf(db, schema)))
  const names = new Set([...expected.keys(), ...actual.keys()])
  return [...names]
    .filter((name) => !isRecordSchema(name))
    .filter((name) => JSON.stringify(expected.get(name)) !== JSON.stringify(actual.get(name)))
    .map((name) => fault('integrity.schema', `schema/${name}`, schemaWords(name, actual.has(name))))
}

/** Tables of records and their indexes follow from the objects of the org; record-faults.ts checks them. */
const isRecordSchema = (name: string): boolean => /^record_\d/.test(name)

let freshSchema: { together: readonly SchemaRow[]; apart: readonly SchemaRow[] } | undefined

/** The schema of a new org; read once, because the migrations take longer than the comparison. */
function expectedSchema(hasRecordsFile: boolean): ReadonlyMap<string, SchemaRow> {
  freshSchema ??= readFreshSchema()
  return byName(hasRecordsFile ? freshSchema.apart : freshSchema.together)
}

function readFreshSchema(): NonNullable<typeof freshSchema> {
  const fresh = new Database(':memory:')
  try {
    migrate(fresh, ':memory:')
    const together = schemaOf(fresh, 'main')
    fresh.exec(ownTables)
    const apart = schemaOf(fresh, 'main').map((row) =>
      isOfRecords(row.name) ? { ...row, schema: 'records' as const } : row,
    )
    return { together, apart }
  } finally {
    fresh.close()
  }
}

const byName = (rows: readonly SchemaRow[]): Map<string, SchemaRow> =>
  new Map(rows.map((row) => [row.name, row]))

function schemaWords(name: string, isThere: boolean): string {
  return isThere
    ? `"${name}" in the database differs from what Almanac creates.`
    : `"${name}" is missing from the database.`
}

/** Omits SQLite's own tables, which are created on demand. */
function schemaOf(db: Db, schema: Schema): SchemaRow[] {
  return all<SchemaRow>(
    db,
    `SELECT '${schema}' AS schema, type, name, tbl_name, sql FROM ${schema}.sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
  )
}
