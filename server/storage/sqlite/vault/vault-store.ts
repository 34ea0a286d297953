// Rows of the vault's file. Each method is one transaction.
import type {
  NewVaultRow,
  SecretOwner,
  VaultContents,
  VaultRow,
  VaultStore,
  WrappedKey,
} from '../../../ports/vault.ts'
import { all, one, run, type Db } from '../db.ts'
import { transaction } from '../transaction.ts'

export interface VaultFile {
  /** Null if the file does not exist. */
  toRead(): Db | null
  /** Creates the file if needed. */
  toWrite(): Db
  /** Changes with every write of any process; null if that cannot be known now. */
  state(): string | null
  close(): void
}

interface SecretRow extends SecretOwner {
  revision: number
  content: string
  due_at: string | null
}

interface KeyRow extends Omit<WrappedKey, 'wrappedBy' | 'createdAt'> {
  wrapped_by: string
  created_at: string
}

const columns = 'kind, credential, principal, user, revision, content, due_at'
const ofOwner = 'credential = @credential AND principal = @principal AND user = @user AND kind = @kind'

/** How long a row that was read is still known, in milliseconds. */
const knownMs = 5

export class SqliteVaultStore implements VaultStore {
  readonly #file: VaultFile
  /** Every call needs a row, and nearly always the same ones; the state of the file is cheaper than a transaction. */
  readonly #rows = new Map<string, VaultRow | null>()
  #rowsState: string | null = null
  /** Until when the state that was seen last counts as that of now. */
  #knownUntil = 0

  constructor(file: VaultFile) {
    this.#file = file
  }

  async keys(): Promise<WrappedKey[]> {
    return this.#read([], keysOf)
  }

  async addFirstKey(key: WrappedKey): Promise<boolean> {
    return this.#write((db) => {
      if (keysOf(db).length > 0) return false
      addKey(db, key)
      return true
    })
  }

  async get(owner: SecretOwner): Promise<VaultRow | null> {
    const state = this.#file.state()
    if (state === null || state !== this.#rowsState) this.#rows.clear()
    this.#rowsState = state
    this.#knownUntil = performance.now() + knownMs
    const name = nameOf(owner)
    const known = this.#rows.get(name)
    if (known !== undefined) return known
    const row = this.#read(null, (db) => {
      const found = one<SecretRow>(db, `SELECT ${columns} FROM secret WHERE ${ofOwner}`, owner)
      return found === undefined ? null : rowOf(found)
    })
    if (state !== null) this.#rows.set(name, row)
    return row
  }

  known(owner: SecretOwner): VaultRow | null | undefined {
    return performance.now() < this.#knownUntil ? this.#rows.get(nameOf(owner)) : undefined
  }

  async list(credential?: string): Promise<VaultRow[]> {
    return this.#read([], (db) => rowsOf(db, credential))
  }

  async due(at: string): Promise<VaultRow[]> {
    return this.#read([], (db) =>
      all<SecretRow>(db, `SELECT ${columns} FROM secret WHERE due_at <= @at`, { at }).map(rowOf),
    )
  }

  async put(owner: SecretOwner, expected: number | null, content: NewVaultRow | null): Promise<boolean> {
    return this.#write((db) => {
      const stored = one<{ revision: number }>(db, `SELECT revision FROM secret WHERE ${ofOwner}`, owner)
      if ((stored?.revision ?? null) !== expected) return false
      if (content === null) {
        run(db, `DELETE FROM secret WHERE ${ofOwner}`, owner)
        run(db, `DELETE FROM secret_use WHERE ${ofOwner}`, owner)
        return true
      }
      if (!keysOf(db).some(({ id }) => id === content.key)) return false
      putRow(db, owner, content)
      return true
    })
  }

  async noteUse(owner: SecretOwner, at: string): Promise<void> {
    const db = this.#file.toWrite()
    transaction(db, 'BEGIN IMMEDIATE', () =>
      run(
        db,
        `INSERT INTO secret_use (kind, credential, principal, user, at)
         VALUES (@kind, @credential, @principal, @user, @at)
         ON CONFLICT DO UPDATE SET at = max(at, excluded.at)`,
        { ...owner, at },
      ),
    )
  }

  async lastUses(credential?: string): Promise<{ owner: SecretOwner; at: string }[]> {
    return this.#read([], (db) => {
      const rows = all<SecretOwner & { at: string }>(
        db,
        `SELECT kind, credential, principal, user, at FROM secret_use
         WHERE @credential IS NULL OR credential = @credential`,
        { credential: credential ?? null },
      )
      return rows.map(({ at, ...owner }) => ({ owner, at }))
    })
  }

  async contents(): Promise<VaultContents> {
    return this.#read({ revision: 0, keys: [], rows: [] }, (db) =>
      transaction(db, 'BEGIN', () => ({
        revision: revisionOf(db),
        keys: keysOf(db),
        rows: rowsOf(db),
      })),
    )
  }

  async replace({ revision, keys, rows }: VaultContents): Promise<boolean> {
    return this.#write((db) => {
      if (revisionOf(db) !== revision) return false
      run(db, 'DELETE FROM data_key')
      run(db, 'DELETE FROM secret')
      for (const key of keys) addKey(db, key)
      for (const { owner, content, dueAt } of rows) putRow(db, owner, { content, dueAt })
      return true
    })
  }

  close(): void {
    this.#file.close()
  }

  #read<T>(none: T, work: (db: Db) => T): T {
    const db = this.#file.toRead()
    return db === null ? none : work(db)
  }

  #write(work: (db: Db) => boolean): boolean {
    const db = this.#file.toWrite()
    this.#knownUntil = 0
    return transaction(db, 'BEGIN IMMEDIATE', () => {
      const isWritten = work(db)
      if (isWritten) run(db, 'UPDATE vault SET revision = revision + 1')
      return isWritten
    })
  }
}

const names = new WeakMap<SecretOwner, string>()

/** Owners are asked for again and again. */
function nameOf(owner: SecretOwner): string {
  const known = names.get(owner)
  if (known !== undefined) return known
  const name = JSON.stringify([owner.kind, owner.credential, owner.principal, owner.user])
  names.set(owner, name)
  return name
}

const revisionOf = (db: Db): number => one<{ revision: number }>(db, 'SELECT revision FROM vault')!.revision

function rowsOf(db: Db, credential?: string): VaultRow[] {
  const rows = all<SecretRow>(
    db,
    `SELECT ${columns} FROM secret
     WHERE @credential IS NULL OR credential = @credential
     ORDER BY credential, principal, user, kind`,
    { credential: credential ?? null },
  )
  return rows.map(rowOf)
}

function keysOf(db: Db): WrappedKey[] {
  const rows = all<KeyRow>(
    db,
    'SELECT id, service, wrapped_by, wrapped, created_at FROM data_key ORDER BY created_at DESC, id DESC',
  )
  return rows.map(({ wrapped_by: wrappedBy, created_at: createdAt, ...key }) => ({
    ...key,
    wrappedBy,
    createdAt,
  }))
}

function addKey(db: Db, { id, service, wrappedBy, wrapped, createdAt }: WrappedKey): void {
  run(
    db,
    `INSERT INTO data_key (id, service, wrapped_by, wrapped, created_at)
     VALUES (@id, @service, @wrappedBy, @wrapped, @createdAt)`,
    { id, service, wrappedBy, wrapped, createdAt },
  )
}

/** The revision of a row is that of the vault, so that a row that is removed and added again does not repeat one. */
function putRow(db: Db, owner: SecretOwner, { content, dueAt }: Omit<NewVaultRow, 'key'>): void {
  run(
    db,
    `INSERT INTO secret (kind, credential, principal, user, revision, content, due_at)
     VALUES (@kind, @credential, @principal, @user, @revision, @content, @dueAt)
     ON CONFLICT DO UPDATE SET revision = excluded.revision, content = excluded.content, due_at = excluded.due_at`,
    { ...owner, content, dueAt, revision: revisionOf(db) + 1 },
  )
}

function rowOf({ kind, credential, principal, user, revision, content, due_at }: SecretRow): VaultRow {
  return { owner: { kind, credential, principal, user }, revision, content, dueAt: due_at }
}
