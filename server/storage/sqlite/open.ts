// The org's file: made once, opened often. WAL, and an fsync before every acknowledgement (synchronous=FULL).
import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { OrgFacts, OrgStore } from '../../ports/org-store.ts'
import { run, type Db } from './db.ts'
import { migrate } from './migrate.ts'
import { ParsedCache } from './parsed-cache.ts'
import { SqliteStore } from './store.ts'

export interface OpenOptions {
  /** How long a writer waits for another one; 5,000 by default. */
  busyMs?: number
}

/** Characters of JSON whose parsed components are kept at hand. */
const CACHE = 8 * 1024 * 1024

/** @throws AlmanacError org.not_found, org.newer_schema */
export function openSqliteStore(path: string, options: OpenOptions = {}): OrgStore {
  if (!existsSync(path))
    throw new AlmanacError('org.not_found', `There is no org at ${path}. Make one with "almanac init".`)
  const db = connect(path, options)
  try {
    migrate(db, path)
  } catch (error) {
    db.close()
    throw error
  }
  return new SqliteStore(db, path, options.busyMs ?? 5000, new ParsedCache(CACHE))
}

/** A new, empty org at generation 0. @throws AlmanacError org.exists */
export function createSqliteStore(path: string, facts: OrgFacts, options: OpenOptions = {}): OrgStore {
  if (existsSync(path)) throw new AlmanacError('org.exists', `There is an org at ${path} already.`)
  const db = connect(path, options)
  migrate(db, path)
  run(
    db,
    'INSERT INTO org VALUES (1, ?, ?, ?, ?, ?, 0)',
    facts.lineage,
    facts.name,
    facts.environment,
    facts.createdAt,
    facts.sliceBudget,
  )
  return new SqliteStore(db, path, options.busyMs ?? 5000, new ParsedCache(CACHE))
}

function connect(path: string, { busyMs = 5000 }: OpenOptions): Db {
  const db = new Database(path, { timeout: busyMs })
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.pragma('foreign_keys = ON')
  db.pragma('cache_size = -32000')
  db.pragma('temp_store = MEMORY')
  return db
}
