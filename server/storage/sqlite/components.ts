// Reads versions, digests and references of components in any generation.
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import type { Digest } from '#kernel/change/digest.ts'
import type { VersionRow } from '#wire/index.ts'
import type { ComponentReader } from '../../ports/components.ts'
import { includesGeneration } from '../../ports/identities.ts'
import { all, one, OPEN, pairs, type Db } from './db.ts'
import { referencesAt, referrersOf } from './references.ts'

export function componentReader(db: Db): ComponentReader {
  const known = new KnownDigests(db)
  return {
    digest: (generation, id) => digestAt(db, generation, id),
    digests: (generation) => known.at(generation),
    digestsOf: (generation, ids) => digestsOfAt(db, generation, ids),
    digestPage: (generation, after, limit) => digestPageAt(db, generation, after, limit),
    changedBetween: (from, to) => changedBetween(db, from, to),
    versions: (id) => versionsOf(db, id),
    versionAt: (generation, id) => versionsOf(db, id).find((row) => includesGeneration(row, generation)),
    references: (generation) => referencesAt(db, generation),
    referrers: (generation, id, options) => referrersOf(db, generation, id, options?.entries === true),
  }
}

/** Undefined if the component does not exist in the generation. */
export function digestAt(db: Db, generation: number, id: ComponentId): Digest | undefined {
  const { type, key } = splitId(id)
  const sql = 'SELECT digest FROM placement WHERE type = ? AND key = ? AND from_gen <= ? AND to_gen > ?'
  return one<{ digest: Digest }>(db, sql, type, key, generation, generation)?.digest
}

/** The digests of the last generation that was read: a generation never changes, and plans over it follow each other. */
class KnownDigests {
  readonly #db: Db
  #version = ''
  #digests: ReadonlyMap<ComponentId, Digest> = new Map()

  constructor(db: Db) {
    this.#db = db
  }

  at(generation: number): ReadonlyMap<ComponentId, Digest> {
    // A generation that is undone with its transaction can be followed by a different one of the same number.
    const sql = 'SELECT generation, at, change_digest, purged FROM generation WHERE generation = ?'
    const version = JSON.stringify(one(this.#db, sql, generation) ?? generation)
    if (version !== this.#version) {
      this.#digests = digestsAt(this.#db, generation)
      this.#version = version
    }
    return this.#digests
  }
}

function digestsAt(db: Db, generation: number): Map<ComponentId, Digest> {
  // One text with all of them, because creating a hundred thousand rows is slow. No key contains a space or a line
  // feed.
  const sql = `SELECT group_concat(type || '/' || key || ' ' || digest, char(10)) AS lines FROM placement
    WHERE from_gen <= ? AND to_gen > ?`
  const { lines } = one<{ lines: string | null }>(db, sql, generation, generation)!
  const digests = new Map<ComponentId, Digest>()
  for (const line of lines?.split('\n') ?? []) {
    const gap = line.indexOf(' ')
    digests.set(line.slice(0, gap) as ComponentId, line.slice(gap + 1) as Digest)
  }
  return digests
}

function digestsOfAt(db: Db, generation: number, ids: readonly ComponentId[]): Map<ComponentId, Digest> {
  const sql = `SELECT n.value ->> 2 AS id, p.digest FROM json_each(?) n
    CROSS JOIN placement p ON p.type = n.value ->> 0 AND p.key = n.value ->> 1 AND from_gen <= ? AND to_gen > ?`
  const names = ids.map((id) => {
    const { type, key } = splitId(id)
    return [type, key, id]
  })
  return pairs(db, sql, JSON.stringify(names), generation, generation)
}

function digestPageAt(
  db: Db,
  generation: number,
  after: ComponentId | null,
  limit: number,
): [ComponentId, Digest][] {
  const { type, key } = after === null ? { type: '', key: '' } : splitId(after)
  const sql = `SELECT type || '/' || key AS id, digest FROM placement
    WHERE (type, key) > (?, ?) AND from_gen <= ? AND to_gen > ? ORDER BY type, key LIMIT ?`
  return [...pairs<ComponentId, Digest>(db, sql, type, key, generation, generation, limit)]
}

function changedBetween(db: Db, from: number, to: number): ComponentId[] {
  const [low, high] = from < to ? [from, to] : [to, from]
  const touched = all<{ id: ComponentId }>(
    db,
    `SELECT type || '/' || key AS id FROM placement WHERE from_gen > ? AND from_gen <= ?
     UNION SELECT type || '/' || key FROM placement WHERE to_gen > ? AND to_gen <= ? AND to_gen < ${OPEN}
     ORDER BY id`,
    low,
    high,
    low,
    high,
  )
  const ids = touched.map(({ id }) => id)
  // Between neighbours, everything written differs; over more generations a change may have been reverted.
  return high - low === 1 ? ids : ids.filter((id) => digestAt(db, low, id) !== digestAt(db, high, id))
}

function versionsOf(db: Db, id: ComponentId): VersionRow[] {
  const { type, key } = splitId(id)
  const rows = all<{ digest: Digest; from_gen: number; to_gen: number; at: string; actor: string }>(
    db,
    `SELECT p.digest, p.from_gen, p.to_gen, g.at, g.actor FROM placement p JOIN generation g ON g.generation = p.from_gen
     WHERE p.type = ? AND p.key = ? ORDER BY p.from_gen DESC`,
    type,
    key,
  )
  return rows.map((row) => ({
    id,
    digest: row.digest,
    from: row.from_gen,
    to: row.to_gen === OPEN ? null : row.to_gen,
    at: row.at,
    actor: row.actor,
  }))
}
