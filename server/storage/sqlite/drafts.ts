// Drafts: text as typed, by component.
import { splitId, type ComponentId, type ComponentType } from '#kernel/components/component.ts'
import type { Contributor } from '#kernel/requests/index.ts'
import type { Digest } from '#kernel/change/digest.ts'
import type { ComponentIdentity } from '../../ports/identities.ts'
import type { DraftSummary, DraftRow } from '#wire/index.ts'
import { all, one, run, type Db } from './db.ts'

interface Stored {
  type: ComponentType
  key: string
  text: string | null
  base_digest: Digest | null
  base_generation: number
  version: number
  author: string
  changed_by: string
  operator: string | null
  changed_operator: string | null
  writers: string
  updated_at: string
}

export function drafts(db: Db): DraftRow[] {
  const writersOf = writersReader()
  return all<Stored>(db, 'SELECT * FROM draft ORDER BY type, key').map((row) => rowOf(row, writersOf))
}

export function draftsOfType(db: Db, type: ComponentType): DraftRow[] {
  const writersOf = writersReader()
  const sql = 'SELECT * FROM draft WHERE type = ? ORDER BY key'
  return all<Stored>(db, sql, type).map((row) => rowOf(row, writersOf))
}

export function longestDraftOf(db: Db, type: ComponentType): number {
  const sql = 'SELECT max(octet_length(text)) AS bytes FROM draft WHERE type = ?'
  return one<{ bytes: number | null }>(db, sql, type)!.bytes ?? 0
}

const briefColumns =
  'type, key, text IS NULL AS removes, base_digest, base_generation, version, author, changed_by, writers, updated_at'

type StoredBrief = Omit<Stored, 'text' | 'operator'> & { removes: 0 | 1 }

/** Reads all drafts without their texts, which are most of the bytes. */
export function draftBriefs(db: Db): readonly DraftSummary[] {
  return all<StoredBrief>(db, `SELECT ${briefColumns} FROM draft ORDER BY type, key`).map(briefReader())
}

/** Number of drafts per step. */
const rowsPerStep = 1000

/** The same in steps. All steps are of one moment: after a write in between, everything is read at once. */
export function* draftBriefSteps(db: Db): Generator<void, readonly DraftSummary[]> {
  const at = writeVersion(db)
  const known = briefsCache.get(db)
  if (known?.at === at) return known.value
  const briefs: DraftSummary[] = []
  const briefOf = briefReader()
  for (let rows: StoredBrief[] = []; briefs.length === 0 || rows.length === rowsPerStep;) {
    const last = rows.at(-1)
    rows = all<StoredBrief>(
      db,
      `SELECT ${briefColumns} FROM draft WHERE (type, key) > (?, ?) ORDER BY type, key LIMIT ${rowsPerStep}`,
      last?.type ?? '',
      last?.key ?? '',
    )
    if (rows.length === 0) break
    briefs.push(...rows.map(briefOf))
    yield
  }
  if (writeVersion(db) !== at) return cachedDraftBriefs(db)
  briefsCache.set(db, { at, value: briefs })
  return briefs
}

type WritersReader = (json: string) => readonly Contributor[]

/** Thousands of drafts have the same few writers. */
function writersReader(): WritersReader {
  const known = new Map<string, readonly Contributor[]>()
  return (json) => {
    let writers = known.get(json)
    if (writers === undefined) known.set(json, (writers = JSON.parse(json) as Contributor[]))
    return writers
  }
}

function briefReader(): (row: StoredBrief) => DraftSummary {
  const writersOf = writersReader()
  return (row) => ({
    id: `${row.type}/${row.key}`,
    removes: row.removes === 1,
    baseDigest: row.base_digest,
    baseGeneration: row.base_generation,
    version: row.version,
    author: row.author,
    changedBy: row.changed_by,
    writers: writersOf(row.writers),
    updatedAt: row.updated_at,
  })
}

export function draftIdsOf(db: Db, author: string): ComponentId[] {
  const sql = `SELECT type || '/' || key AS id FROM draft WHERE author = ? ORDER BY type, key`
  return all<{ id: ComponentId }>(db, sql, author).map(({ id }) => id)
}

/** A text that changes with the state of any draft: id, version and time of each. */
export function draftsMark(db: Db): string {
  const sql = `SELECT group_concat(state, ' ') AS mark FROM
    (SELECT type || '/' || key || '@' || version || '@' || updated_at AS state FROM draft ORDER BY type, key)`
  return one<{ mark: string | null }>(db, sql)!.mark ?? ''
}

export function draftCount(db: Db): number {
  return one<{ n: number }>(db, 'SELECT count(*) AS n FROM draft')!.n
}

type WriteCache<T> = WeakMap<Db, { at: string; value: T }>

const briefsCache: WriteCache<readonly DraftSummary[]> = new WeakMap()
export const cachedDraftBriefs = cacheUntilWrite(draftBriefs, briefsCache)
export const cachedDraftsMark = cacheUntilWrite(draftsMark)

/**
 * The same, read again only after a write by this or any other connection. Not for use inside a write, which may be
 * rolled back.
 */
function cacheUntilWrite<T>(read: (db: Db) => T, cache: WriteCache<T> = new WeakMap()): (db: Db) => T {
  return (db) => {
    const at = writeVersion(db)
    const known = cache.get(db)
    if (known?.at === at) return known.value
    const value = read(db)
    cache.set(db, { at, value })
    return value
  }
}

/** A text that changes with each write by this or any other connection. */
function writeVersion(db: Db): string {
  const others = one<{ data_version: number }>(db, 'PRAGMA data_version')!.data_version
  const own = one<{ n: number }>(db, 'SELECT total_changes() AS n')!.n
  return `${others} ${own}`
}

export function draft(db: Db, id: ComponentId): DraftRow | undefined {
  const { type, key } = splitId(id)
  const row = one<Stored>(db, 'SELECT * FROM draft WHERE type = ? AND key = ?', type, key)
  return row === undefined ? undefined : rowOf(row)
}

export function putDraft(db: Db, row: DraftRow): void {
  const { type, key } = splitId(row.id)
  run(
    db,
    `INSERT OR REPLACE INTO draft (type, key, text, base_digest, base_generation, version, author, changed_by, operator,
       changed_operator, writers, updated_at, restores)
     VALUES (@type, @key, @text, @baseDigest, @baseGeneration, @version, @author, @changedBy, @operator, @changedOperator,
       @writers, @updatedAt, (SELECT restores FROM draft WHERE type = @type AND key = @key))`,
    {
      type,
      key,
      text: row.text,
      baseDigest: row.baseDigest,
      baseGeneration: row.baseGeneration,
      version: row.version,
      author: row.author,
      changedBy: row.changedBy,
      operator: row.operator ?? null,
      changedOperator: row.changedOperator ?? null,
      writers: JSON.stringify(row.writers),
      updatedAt: row.updatedAt,
    },
  )
}

/** The removed components that drafts restore. */
export function restoredByDrafts(db: Db): Map<ComponentId, ComponentIdentity> {
  const sql = 'SELECT type, key, restores FROM draft WHERE restores IS NOT NULL'
  return new Map(
    all<Pick<Stored, 'type' | 'key'> & { restores: ComponentIdentity }>(db, sql).map((row) => [
      `${row.type}/${row.key}` as ComponentId,
      row.restores,
    ]),
  )
}

export function setRestored(db: Db, id: ComponentId, identity: ComponentIdentity): void {
  const { type, key } = splitId(id)
  run(db, 'UPDATE draft SET restores = ? WHERE type = ? AND key = ?', identity, type, key)
}

export function deleteDraft(db: Db, id: ComponentId): void {
  const { type, key } = splitId(id)
  run(db, 'DELETE FROM draft WHERE type = ? AND key = ?', type, key)
}

function rowOf(row: Stored, writersOf: WritersReader = writersReader()): DraftRow {
  return {
    id: `${row.type}/${row.key}`,
    text: row.text,
    baseDigest: row.base_digest,
    baseGeneration: row.base_generation,
    version: row.version,
    author: row.author,
    changedBy: row.changed_by,
    ...(row.operator === null ? {} : { operator: row.operator }),
    ...(row.changed_operator === null ? {} : { changedOperator: row.changed_operator }),
    writers: writersOf(row.writers),
    updatedAt: row.updated_at,
  }
}
