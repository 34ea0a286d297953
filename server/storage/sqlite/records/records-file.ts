// The file of the records, next to that of the org: saves wait neither for an apply nor for anything else that is
// written to the org. A connection to the org has it attached, for what concerns both.
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { all, one, type Db } from '../db.ts'
import { noteRecords } from '../position.ts'
import { transaction } from '../transaction.ts'
import { archives, evidenceFields } from './archives.ts'
import { deliveryTables } from './delivery-row.ts'
import { eventTables } from './event-tables.ts'
import { ingestTables, unfinishedIngests } from './ingests.ts'
import { lockInTurn } from './lock-turns.ts'
import { outboxTables } from './outbox-row.ts'
import { traceTables } from './trace-rows.ts'

/** The schema of this Almanac (PRAGMA user_version of the file). */
const version = 9

/** The tables that only the file has: those of records come from the migrations of the org. */
export const ownTables = `
CREATE TABLE record_org (one INTEGER PRIMARY KEY CHECK (one = 1), lineage TEXT NOT NULL, generation INTEGER NOT NULL DEFAULT 0, filled INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE record_seal (
  name TEXT NOT NULL,
  id TEXT NOT NULL,
  digest TEXT NOT NULL,
  PRIMARY KEY (name, id)
) STRICT, WITHOUT ROWID;
${archives}${outboxTables}${traceTables}${ingestTables}${unfinishedIngests}${eventTables}${deliveryTables}`

/** The file of the records of the org in the file `path`. */
export function recordsFile(path: string): string {
  return join(dirname(path), 'records.sqlite')
}

/** Whether a table, an index or a seal of this name belongs to the records. */
export const isOfRecords = (name: string): boolean => /^record_/.test(name)

/** The schema of a connection in which the tables of records are. */
export function recordsSchema(db: Db): 'main' | 'records' {
  const schemas = all<{ name: string }>(db, 'SELECT name FROM pragma_database_list')
  return schemas.some(({ name }) => name === 'records') ? 'records' : 'main'
}

/** Lets nothing else write to the records until the transaction ends. */
export function lockRecords(db: Db): void {
  lockInTurn(db, () => db.exec('UPDATE record_table SET object = object WHERE 0'))
}

/** What is wrong with the file of the records, in words that follow "cannot be read: ". */
export class RecordsFileError extends Error {
  readonly file: string

  constructor(file: string, why: string, options?: ErrorOptions) {
    super(why, options)
    this.file = file
  }
}

/**
 * Attaches the records to a connection to the org. An org from before they had a file gives them one.
 *
 * @throws RecordsFileError if the file is missing, damaged or that of another org
 */
export function attachRecords(db: Db, path: string): void {
  const file = recordsFile(path)
  if (hasRecordTables(db)) separateRecords(db, path)
  // SQLite would create an empty file.
  if (!existsSync(file)) throw new RecordsFileError(file, 'it is missing')
  try {
    db.prepare('ATTACH ? AS records').run(file)
    db.pragma('records.synchronous = FULL')
    db.pragma('records.cache_size = -8000')
    requireSameOrg(db, file)
    upgrade(db)
    requireKnownGenerations(db, file)
    requireKnownRecords(db, file)
    noteFiles(db)
  } catch (error) {
    if (error instanceof Database.SqliteError && /^SQLITE_(ERROR|CORRUPT|NOTADB)/.test(error.code))
      throw new RecordsFileError(file, error.message, { cause: error })
    throw error
  }
}

function requireSameOrg(db: Db, file: string): void {
  const schema = schemaOf(db)
  if (schema < 1 || schema > version)
    throw new RecordsFileError(file, `it has schema ${schema} instead of ${version}`)
  const lineage = 'SELECT (SELECT lineage FROM org) = (SELECT lineage FROM record_org) AS same'
  if (one<{ same: number | null }>(db, lineage)!.same !== 1)
    throw new RecordsFileError(file, 'it belongs to another org')
}

const schemaOf = (db: Db): number => Number(db.pragma('records.user_version', { simple: true }))

/** Adds what a file of an earlier version lacks. */
function upgrade(db: Db): void {
  if (schemaOf(db) === version) return
  transaction(db, 'BEGIN IMMEDIATE', () => {
    // Another process may have done it while this one waited for the lock.
    const from = schemaOf(db)
    if (from === version) return
    const missing = from === 1 ? archives : from === 2 ? evidenceFields : ''
    const columns = from < 4 ? ['generation', 'filled'] : from < 5 ? ['filled'] : []
    for (const column of columns)
      db.exec(`ALTER TABLE records.record_org ADD COLUMN ${column} INTEGER NOT NULL DEFAULT 0`)
    const added = [
      ...(from < 6 ? [outboxTables] : []),
      ...(from < 7 ? [traceTables] : []),
      ...(from < 8 ? [ingestTables] : []),
      ...(from < 9 ? [unfinishedIngests, eventTables, deliveryTables] : []),
    ]
    db.exec(inRecords(missing + added.join('')))
    db.pragma(`records.user_version = ${version}`)
  })
}

const inRecords = (statements: string): string =>
  statements.replaceAll(/(CREATE TABLE|CREATE UNIQUE INDEX|CREATE INDEX|ALTER TABLE) /g, '$1 records.')

/** Records of generations that the org does not have show that one of the files was replaced by an older one. */
function requireKnownGenerations(db: Db, file: string): void {
  // The records first: an apply and a save of another process can come between the two reads, in this order.
  const { used } = one<{ used: number }>(
    db,
    `SELECT max(
       (SELECT generation FROM record_org),
       coalesce((SELECT max(generation) FROM record_binding), 0),
       coalesce((SELECT generation FROM record_change ORDER BY sequence DESC LIMIT 1), 0)
     ) AS used`,
  )!
  const { active } = one<{ active: number }>(db, 'SELECT active FROM org')!
  if (used > active)
    throw new RecordsFileError(
      file,
      `it knows generation ${used}, but org.sqlite ends with generation ${active}, so one of the two files is from an older backup; restore both together`,
    )
}

/** Fewer writes of records than the org has seen show that their file was replaced by an older one. */
function requireKnownRecords(db: Db, file: string): void {
  // The org first, for the same reason.
  const { seen } = one<{ seen: number }>(db, 'SELECT records AS seen FROM position')!
  const { last } = one<{ last: number | null }>(db, 'SELECT max(sequence) AS last FROM record_change')!
  if (seen > (last ?? 0))
    throw new RecordsFileError(
      file,
      `it ends with write ${last ?? 0} of records, but org.sqlite has seen write ${seen}, so it is from an older backup than org.sqlite; restore both together`,
    )
}

/** Lets each file know how far the other one is. Both are noted later if one cannot be written now. */
export function noteFiles(db: Db): void {
  const timeout = db.pragma('busy_timeout', { simple: true }) as number
  try {
    db.pragma('busy_timeout = 0')
    noteRecords(db)
    const active = '(SELECT active FROM org)'
    db.exec(`UPDATE record_org SET generation = ${active} WHERE generation < ${active}`)
  } catch (error) {
    if (!(error instanceof Database.SqliteError) && !(error instanceof AlmanacError)) throw error
  } finally {
    db.pragma(`busy_timeout = ${timeout}`)
  }
}

function hasRecordTables(db: Db): boolean {
  return one(db, `SELECT 1 FROM main.sqlite_schema WHERE name = 'record_table'`) !== undefined
}

/** Moves the tables of records out of the file of the org. Repeated if a process was killed in the middle. */
function separateRecords(db: Db, path: string): void {
  transaction(db, 'BEGIN IMMEDIATE', () => {
    // Another process may have done it while this one waited for the lock.
    if (!hasRecordTables(db)) return
    writeRecordsFile(path)
    dropRecords(db)
  })
  try {
    // What was written about records does not remain in free pages.
    db.exec('VACUUM')
  } catch {
    // A full disk or another writer: the pages are used again in time.
  }
}

/** Copies the committed tables of records, which nobody can change at this time, to a file that appears as a whole. */
function writeRecordsFile(path: string): void {
  const file = recordsFile(path)
  const aside = `${file}.${process.pid}.new`
  removeLeftovers(file)
  closeSync(openSync(aside, 'wx', 0o600))
  const db = new Database(aside)
  try {
    db.pragma('synchronous = FULL')
    db.prepare('ATTACH ? AS org').run(path)
    requireReplaceable(db, file)
    transaction(db, 'BEGIN', () => copyRecords(db))
    db.exec('DETACH org')
    db.pragma('journal_mode = WAL')
  } finally {
    db.close()
  }
  removeDatabase(file)
  renameSync(aside, file)
  const folder = openSync(dirname(file), 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/** A file that is already there is replaced only if it contains nothing that the org does not contain. */
function requireReplaceable(db: Db, file: string): void {
  if (!existsSync(file)) return
  const other = new Database(file)
  try {
    const last = (each: Db, table: string): number =>
      one<{ last: number }>(each, `SELECT coalesce(max(sequence), 0) AS last FROM ${table}`)!.last
    if (last(other, 'record_change') > last(db, 'org.record_change'))
      throw new RecordsFileError(
        file,
        'it contains records, and org.sqlite is from a time when it contained them itself',
      )
  } catch (error) {
    if (error instanceof RecordsFileError) throw error
    throw new RecordsFileError(file, `it is in the way: ${(error as Error).message}`, { cause: error })
  } finally {
    other.close()
  }
}

interface SchemaRow {
  type: string
  name: string
  sql: string | null
}

function copyRecords(db: Db): void {
  const rows = all<SchemaRow>(
    db,
    `SELECT type, name, sql FROM org.sqlite_schema WHERE tbl_name GLOB 'record_*' AND sql IS NOT NULL ORDER BY type DESC, rowid`,
  )
  db.pragma('defer_foreign_keys = ON')
  for (const { type, name, sql } of rows) {
    db.exec(sql!)
    if (type !== 'table') continue
    const names = db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(name) as string[]
    const columns = names.map((column) => `"${column}"`).join(', ')
    db.exec(`INSERT INTO main."${name}" (${columns}) SELECT ${columns} FROM org."${name}"`)
  }
  db.exec(ownTables)
  db.exec(`
    INSERT INTO record_org (one, lineage) SELECT one, lineage FROM org.org;
    INSERT INTO record_seal (name, id, digest) SELECT name, id, digest FROM org.seal WHERE name GLOB 'record_*';
    PRAGMA user_version = ${version};
  `)
}

function dropRecords(db: Db): void {
  const tables = all<{ name: string }>(
    db,
    // Those that refer to others were created after them.
    `SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name GLOB 'record_*' ORDER BY rowid DESC`,
  )
  for (const { name } of tables) db.exec(`DROP TABLE main."${name}"`)
  db.exec(`DELETE FROM main.seal WHERE name GLOB 'record_*'`)
}

/** What processes have left that were killed in the middle. Nobody else writes one now, because the org is locked. */
function removeLeftovers(file: string): void {
  const name = `${basename(file)}.`
  for (const each of readdirSync(dirname(file)))
    if (each.startsWith(name) && each.includes('.new')) rmSync(join(dirname(file), each), { force: true })
}

function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true })
}
