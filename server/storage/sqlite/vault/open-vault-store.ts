// The vault of one machine: a file of its own beside the org, whose rows are ciphertext.
import Database from 'better-sqlite3'
import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { VaultStore } from '../../../ports/vault.ts'
import type { Db } from '../db.ts'
import { one, run } from '../db.ts'
import { sameFileCheck } from '../same-file.ts'
import { storageError } from '../storage-error.ts'
import { SqliteVaultStore } from './vault-store.ts'

const version = 1

const schema = [
  `CREATE TABLE vault (
     one INTEGER PRIMARY KEY CHECK (one = 1),
     lineage TEXT NOT NULL,
     revision INTEGER NOT NULL
   ) STRICT`,
  `CREATE TABLE data_key (
     id TEXT PRIMARY KEY,
     service TEXT NOT NULL,
     wrapped_by TEXT NOT NULL,
     wrapped TEXT NOT NULL,
     created_at TEXT NOT NULL
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE secret (
     kind TEXT NOT NULL,
     credential TEXT NOT NULL,
     principal TEXT NOT NULL,
     user TEXT NOT NULL,
     revision INTEGER NOT NULL,
     content TEXT NOT NULL,
     due_at TEXT,
     PRIMARY KEY (credential, principal, user, kind)
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX secret_due ON secret (due_at) WHERE due_at IS NOT NULL`,
  `CREATE TABLE secret_use (
     kind TEXT NOT NULL,
     credential TEXT NOT NULL,
     principal TEXT NOT NULL,
     user TEXT NOT NULL,
     at TEXT NOT NULL,
     PRIMARY KEY (credential, principal, user, kind)
   ) STRICT, WITHOUT ROWID`,
]

export interface VaultFileOptions {
  path: string
  /** Of the org. */
  lineage: string
  /** How long a writer waits for a different one, in milliseconds; 5,000 by default. */
  busyMs?: number | undefined
}

/**
 * The vault in a file. It is opened when it is first needed, and created by the first write.
 * Every method throws AlmanacError `vault.damaged`, `org.newer_schema`, `storage.*`.
 */
export function vaultStoreIn(options: VaultFileOptions): VaultStore {
  let opened: { db: Db; requireSameFile: () => void } | null = null
  const open = (): Db => {
    if (opened === null) {
      const db = openFile(options)
      opened = { db, requireSameFile: sameFileCheck(db) }
    }
    opened.requireSameFile()
    return opened.db
  }
  return new SqliteVaultStore({
    toRead: () => (opened === null && !existsSync(options.path) ? null : open()),
    toWrite: open,
    state: () => (opened === null ? null : stateOf(options.path)),
    close: () => {
      opened?.db.close()
      opened = null
    },
  })
}

/** File systems keep times in steps: two writes within one step would look like one. */
const settledMs = 1000

function stateOf(path: string): string | null {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined || Date.now() - stats.mtimeMs < settledMs) return null
  return `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`
}

function openFile({ path, lineage, busyMs = 5000 }: VaultFileOptions): Db {
  let db: Db | null = null
  try {
    // SQLite gives its other files the mode of this one.
    closeSync(openSync(path, 'a', 0o600))
    db = new Database(path, { timeout: busyMs })
    prepare(db)
    create(db, lineage)
    requireVaultOf(db, path, lineage)
    return db
  } catch (error) {
    db?.close()
    throw storageError(error)
  }
}

/** What is deleted or replaced is overwritten, also in the log, which is emptied as soon as nobody reads it. */
function prepare(db: Db): void {
  db.pragma('secure_delete = ON')
  db.pragma('journal_mode = DELETE')
  db.pragma('synchronous = EXTRA')
}

function create(db: Db, lineage: string): void {
  const make = db.transaction(() => {
    if ((db.pragma('user_version', { simple: true }) as number) > 0) return
    for (const statement of schema) db.exec(statement)
    run(db, 'INSERT INTO vault (one, lineage, revision) VALUES (1, @lineage, 0)', { lineage })
    db.pragma(`user_version = ${version}`)
  })
  make.immediate()
}

function requireVaultOf(db: Db, path: string, lineage: string): void {
  const stored = db.pragma('user_version', { simple: true }) as number
  if (stored > version)
    throw new AlmanacError(
      'org.newer_schema',
      `${path} was written by a newer version of Almanac. Update this one. Nothing was changed.`,
    )
  const vault = one<{ lineage: string }>(db, 'SELECT lineage FROM vault')
  if (vault?.lineage !== lineage)
    throw new AlmanacError(
      'vault.damaged',
      `${path} is the vault of a different org (lineage ${vault?.lineage ?? 'unknown'}). Move it back to its org, and write the secrets of this one again.`,
    )
}
