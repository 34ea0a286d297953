// Stores a digest next to each row, so that "almanac check" detects what was changed in the file by anything but
// Almanac. Temporary triggers of a connection maintain the digests, so that no writing statement can omit one.
import { hash } from 'node:crypto'
import { all, run, type Db } from './db.ts'

/** Tables that are verified in a different way, and how. Every other table of the schema is sealed. */
export const selfVerifyingTables: Readonly<Record<string, string>> = {
  content: 'its key is the digest of its text',
  remote_content: 'its key is the digest of its text',
  placement: 'follows from the audit and the contents',
  audit: 'each digest covers the row and the digest before it',
  searchable: 'follows from the active generation',
  record_word: 'follows from the records',
  position: 'only counts; no content follows from it',
  seal: 'each row is compared with the row that it covers',
  record_seal: 'each row is compared with the row that it covers',
  record_org: 'is compared with the org whenever it is opened',
}

/** Records, with a table for each object, and what is written with each of them: their rows contain digests. */
const hasRowDigests = (name: string): boolean =>
  /^record_(\d+|change|effect|reply|trace|ingest_batch|event|event_outbox|delivery|delivery_body|delivery_key)$/.test(
    name,
  )

/** Columns that identify a row of a table without a primary key. */
const identities: Readonly<Record<string, readonly string[]>> = {
  reference: ['source', 'path', 'target', 'member', 'made_by', 'from_gen'],
}

export interface SealedTable {
  /** The file of the table: `records` if it is attached. */
  schema: string
  /** The table of its seals. */
  seals: string
  name: string
  columns: readonly string[]
  identity: readonly string[]
}

export interface BrokenSeal {
  table: string
  /** JSON array of the values that identify the row. */
  id: string
  /** `altered` since it was written, `unknown` to Almanac, or `missing` from the table. */
  state: 'altered' | 'unknown' | 'missing'
}

export function sealedTables(db: Db): SealedTable[] {
  const tables = all<{ schema: string; name: string }>(
    db,
    `SELECT schema, name FROM pragma_table_list
     WHERE schema IN ('main', 'records') AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
     ORDER BY name`,
  )
  const inRecords = tables.find(({ name }) => name === 'record_seal')?.schema
  return tables
    .filter(({ name }) => !Object.hasOwn(selfVerifyingTables, name) && !hasRowDigests(name))
    .map(({ schema, name }) => {
      const columns = all<{ name: string; pk: number }>(
        db,
        'SELECT name, pk FROM pragma_table_info(?) ORDER BY cid',
        name,
      )
      const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk)
      const identity = identities[name] ?? (key.length > 0 ? key.map((column) => column.name) : ['rowid'])
      const seals = schema === inRecords ? 'record_seal' : 'seal'
      return { schema, seals, name, columns: columns.map((column) => column.name), identity }
    })
}

/** From now on, this connection seals each row that it writes. Call it outside a transaction. */
export function installSealTriggers(db: Db): void {
  defineSeal(db)
  db.exec(sealedTables(db).map(triggers).join('\n'))
}

/** Rows that differ from what Almanac wrote. */
export function findBrokenSeals(db: Db): BrokenSeal[] {
  defineSeal(db)
  const tables = sealedTables(db)
  const broken = tables.flatMap((table) => {
    const { name, seals } = table
    const rows = `SELECT ${idOf(table)} AS id, ${digestOf(table)} AS digest FROM ${quoteName(name)} t`
    return all<BrokenSeal>(
      db,
      `SELECT '${name}' AS "table", r.id, CASE WHEN s.id IS NULL THEN 'unknown' ELSE 'altered' END AS state
         FROM (${rows}) r LEFT JOIN ${seals} s ON s.name = '${name}' AND s.id = r.id WHERE s.digest IS NOT r.digest
       UNION ALL
       SELECT '${name}', s.id, 'missing' FROM ${seals} s WHERE s.name = '${name}' AND s.id NOT IN (SELECT id FROM (${rows}))`,
    )
  })
  const stray = [...new Set(tables.map(({ seals }) => seals))].flatMap((seals) =>
    all<BrokenSeal>(
      db,
      `SELECT name AS "table", id, 'missing' AS state FROM ${seals} WHERE name NOT IN (SELECT value FROM json_each(?))`,
      JSON.stringify(tables.flatMap((table) => (table.seals === seals ? [table.name] : []))),
    ),
  )
  return [...broken, ...stray]
}

/** Seals all rows of the org again, after its schema changed; those in `except` stay broken. */
export function resealAll(db: Db, except: readonly BrokenSeal[]): void {
  defineSeal(db)
  run(db, 'DELETE FROM seal')
  for (const table of sealedTables(db))
    run(
      db,
      `INSERT OR REPLACE INTO seal (name, id, digest)
       SELECT '${table.name}', ${idOf(table)}, ${digestOf(table)} FROM ${quoteName(table.name)} t`,
    )
  for (const { table, id } of except)
    run(db, `INSERT OR REPLACE INTO seal (name, id, digest) VALUES (?, ?, '')`, table, id)
}

function triggers(table: SealedTable): string {
  const { schema, seals, name } = table
  const put = `INSERT OR REPLACE INTO ${seals} (name, id, digest) VALUES ('${name}', ${idOf(table, 'NEW')}, ${digestOf(table, 'NEW')});`
  const drop = `DELETE FROM ${seals} WHERE name = '${name}' AND id = ${idOf(table, 'OLD')};`
  const trigger = (event: string, statements: string): string =>
    `CREATE TEMP TRIGGER IF NOT EXISTS "seal_${name}_${event.toLowerCase()}" AFTER ${event} ON ${schema}.${quoteName(name)} BEGIN ${statements} END;`
  return [trigger('INSERT', put), trigger('UPDATE', `${drop} ${put}`), trigger('DELETE', drop)].join('\n')
}

function idOf({ identity }: SealedTable, row = 't'): string {
  return `json_array(${identity.map((column) => `${row}.${quoteName(column)}`).join(', ')})`
}

function digestOf({ name, columns }: SealedTable, row = 't'): string {
  return `seal_of(json_array('${name}', ${columns.map((column) => `${row}.${quoteName(column)}`).join(', ')}))`
}

function defineSeal(db: Db): void {
  db.function('seal_of', { deterministic: true }, (text: unknown) => hash('sha256', String(text), 'hex'))
}

function quoteName(name: string): string {
  return `"${name}"`
}
