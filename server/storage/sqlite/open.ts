// Creates and opens the org's database file.
import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { Component } from '#kernel/components/body-types.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { OrgStore } from '../../ports/org-store.ts'
import type { OrgProperties } from '../../ports/org-properties.ts'
import { one, run, type Db } from './db.ts'
import { migrate } from './migrate.ts'
import { prepareConnection } from './prepare-connection.ts'
import { attachRecords, RecordsFileError } from './records/records-file.ts'
import { RecentCache } from '#kernel/memo/recent-cache.ts'
import { storageError } from './storage-error.ts'
import { SqliteStore } from './store.ts'
import type { RollBack } from './transaction.ts'

export interface OpenOptions {
  /** How long a writer waits for a different one, in milliseconds; 5,000 by default. */
  busyMs?: number | undefined
  /** For tests: what a connection does at the end of a failed transaction. */
  rollBack?: RollBack | undefined
  /** For tests: receives the connection, to limit or damage what is below it. */
  onConnect?: ((db: Db) => void) | undefined
}

/** Number of characters of JSON whose parsed components are cached. */
const CACHE = 8 * 1024 * 1024

/** @throws AlmanacError org.not_found, org.newer_schema, org.damaged, storage.read_only, storage.full */
export function openSqliteStore(path: string, options: OpenOptions = {}): OrgStore {
  if (!existsSync(path))
    throw new AlmanacError('org.not_found', `No org was found at ${path}. Create one with "almanac init".`)
  let db: Db | null = null
  try {
    // An empty file would become an org without an owner.
    const file = statSync(path)
    if (file.isDirectory()) throw damagedOrgError(path, 'it is a folder')
    if (file.size === 0) throw damagedOrgError(path, 'it is empty')
    db = new Database(path, { timeout: busyOf(options) })
    requireOrg(db, path)
    prepareConnection(db)
    migrate(db, path)
    attachRecords(db, path)
  } catch (error) {
    db?.close()
    throw openError(path, error)
  }
  return createStore(db, path, options)
}

/** A new, empty org at generation 0 that ends with its connection, for tests of engines. */
export function createMemoryStore(properties: OrgProperties): OrgStore {
  const db = new Database(':memory:')
  prepareConnection(db)
  migrate(db, ':memory:')
  insertProperties(db, properties)
  return new SqliteStore(db, { path: null, busyMs: 0, cache: new RecentCache<Component>(CACHE) })
}

/**
 * A new, empty org at generation 0. The tables of its records get a file of their own when it is opened again.
 *
 * @throws AlmanacError org.exists
 */
export function createSqliteStore(
  path: string,
  properties: OrgProperties,
  options: OpenOptions = {},
): OrgStore {
  if (existsSync(path)) throw new AlmanacError('org.exists', `An org already exists at ${path}.`)
  // SQLite gives its other files the mode of this one.
  closeSync(openSync(path, 'wx', 0o600))
  const db = new Database(path, { timeout: busyOf(options) })
  try {
    prepareConnection(db)
    migrate(db, path)
    insertProperties(db, properties)
  } catch (error) {
    db.close()
    throw storageError(error)
  }
  return createStore(db, path, options)
}

function insertProperties(
  db: Db,
  { lineage, name, environment, createdAt, sliceBudget }: OrgProperties,
): void {
  run(
    db,
    `INSERT INTO org (one, lineage, name, environment, created_at, slice_budget, active)
     VALUES (1, @lineage, @name, @environment, @createdAt, @sliceBudget, 0)`,
    { lineage, name, environment, createdAt, sliceBudget },
  )
}

function createStore(db: Db, path: string, options: OpenOptions): SqliteStore {
  options.onConnect?.(db)
  const cache = new RecentCache<Component>(CACHE)
  return new SqliteStore(db, { path, busyMs: busyOf(options), cache, rollBack: options.rollBack })
}

/** @throws AlmanacError org.damaged if the file is a database of something else, or has lost its org */
function requireOrg(db: Db, path: string): void {
  const table = one(db, `SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'org'`)
  if (table === undefined || one(db, 'SELECT 1 FROM org') === undefined)
    throw damagedOrgError(path, 'it is a database without an org')
}

function openError(path: string, error: unknown): unknown {
  if (error instanceof RecordsFileError) return damagedOrgError(error.file, error.message, error)
  // SQLite does not report a header or a schema that differs from what Almanac writes as a damaged page.
  if (error instanceof Database.SqliteError && error.code === 'SQLITE_ERROR')
    return damagedOrgError(path, error.message, error)
  const knownError = storageError(error)
  const isDamage = knownError instanceof AlmanacError && knownError.code === 'storage.damaged'
  return isDamage ? damagedOrgError(path, (knownError.cause as Error).message, knownError.cause) : knownError
}

function damagedOrgError(path: string, why: string, cause?: unknown): AlmanacError {
  return new AlmanacError(
    'org.damaged',
    `${path} cannot be read: ${why}. Nothing was changed. Replace it with a copy from a backup of the org's folder.`,
    { cause },
  )
}

function busyOf({ busyMs = 5000 }: OpenOptions): number {
  return busyMs
}
