// Reads versions, digests and references of generations.
import { hash } from 'node:crypto'
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import type { Reference } from '#kernel/components/define.ts'
import type { GraphReference } from '#kernel/graph/index.ts'
import { setDigestOfText, type Digest } from '#kernel/change/digest.ts'
import type { OrgReader, SetSummary, VersionRow } from '../../ports/org-store.ts'
import { includesGeneration } from '../../ports/identities.ts'
import { all, one, OPEN, pairs, type Db } from './db.ts'
import { generationChanges } from './generation-changes.ts'
import { damagedComponentError } from './verified-content.ts'

type ComponentReads = Pick<
  OrgReader,
  | 'digestOf'
  | 'digests'
  | 'digestsOf'
  | 'digestPage'
  | 'entryDigests'
  | 'setSummary'
  | 'verifiedSetSummary'
  | 'changedSetsBetween'
  | 'changedComponentsBetween'
  | 'generationChanges'
  | 'businessKeys'
  | 'changedKeysBetween'
  | 'generationsOfKey'
  | 'versions'
  | 'versionAt'
  | 'referrers'
  | 'references'
>

export function componentReads(db: Db): ComponentReads {
  return {
    digestOf: (generation, id) => digestAt(db, generation, id),
    digests: (generation) => digestsAt(db, generation),
    digestsOf: (generation, ids) => digestsOfAt(db, generation, ids),
    digestPage: (generation, after, limit) => digestPageAt(db, generation, after, limit),
    entryDigests: (generation, set) => entryDigestsAt(db, generation, set),
    setSummary: (generation, set) => setFactsAt(db, generation, set),
    verifiedSetSummary: (generation, set) => verifiedSetFacts(db, generation, set),
    changedSetsBetween: (from, to) => setsChanged(db, from, to),
    changedComponentsBetween: (from, to) => changedBetween(db, from, to),
    generationChanges: (generations) => generationChanges(db, generations),
    businessKeys: (generation, set) => businessKeysAt(db, generation, set),
    changedKeysBetween: (from, to, set) => keysBetween(db, from, to, set),
    generationsOfKey: (set, key) => generationsOfKey(db, set, key),
    versions: (id) => versionsOf(db, id),
    versionAt: (generation, id) => versionsOf(db, id).find((row) => includesGeneration(row, generation)),
    references: (generation) => referencesAt(db, generation),
    referrers: (generation, id, options) => referrersOf(db, generation, id, options?.entries === true),
  }
}

function setFactsAt(db: Db, generation: number, set: string): SetSummary | undefined {
  return one<SetSummary>(
    db,
    'SELECT set_key AS "set", digest, bytes FROM set_fact WHERE set_key = ? AND from_gen <= ? AND to_gen > ?',
    set,
    generation,
    generation,
  )
}

function verifiedSetFacts(db: Db, generation: number, set: string): SetSummary | undefined {
  const facts = setFactsAt(db, generation, set)
  if (facts === undefined) return undefined
  const id: ComponentId = `config_set/${set}`
  const definition = digestAt(db, generation, id) ?? digestAt(db, generation, `feature_flag/${set}`)
  if (definition === undefined) return facts
  if (setDigestOfText(definition, entryDigestsAt(db, generation, set), sha256) !== facts.digest)
    throw damagedComponentError(id)
  return facts
}

const sha256 = (text: string): string => hash('sha256', text, 'hex')

function digestAt(db: Db, generation: number, id: ComponentId): Digest | undefined {
  const { type, key } = splitId(id)
  const sql = 'SELECT digest FROM placement WHERE type = ? AND key = ? AND from_gen <= ? AND to_gen > ?'
  return one<{ digest: Digest }>(db, sql, type, key, generation, generation)?.digest
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

function entryDigestsAt(db: Db, generation: number, set: string): string {
  // Ordered in a subquery, which follows the primary key; an order within the aggregate would sort again.
  const sql = `SELECT json_group_array(digest) AS digests FROM (SELECT digest FROM placement
    WHERE type = 'config_entry' AND key > ? AND key < ? AND from_gen <= ? AND to_gen > ? ORDER BY key)`
  return one<{ digests: string }>(db, sql, `${set}.`, `${set}/`, generation, generation)!.digests
}

function setsChanged(db: Db, from: number, to: number): string[] {
  const [low, high] = from < to ? [from, to] : [to, from]
  const touched = all<{ set_key: string }>(
    db,
    `SELECT DISTINCT set_key FROM set_fact WHERE (from_gen > ? AND from_gen <= ?) OR (to_gen > ? AND to_gen <= ?)
     ORDER BY set_key`,
    low,
    high,
    low,
    high,
  )
  const digest = (generation: number, set: string): string | undefined =>
    one<{ digest: string }>(
      db,
      'SELECT digest FROM set_fact WHERE set_key = ? AND from_gen <= ? AND to_gen > ?',
      set,
      generation,
      generation,
    )?.digest
  return touched.map((row) => row.set_key).filter((set) => digest(low, set) !== digest(high, set))
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

function businessKeysAt(db: Db, generation: number, set: string): (string | null)[] {
  const sql = `SELECT DISTINCT business_key FROM placement WHERE set_key = ? AND from_gen <= ? AND to_gen > ?
    ORDER BY business_key`
  return all<{ business_key: string | null }>(db, sql, set, generation, generation).map(
    (row) => row.business_key,
  )
}

function keysBetween(db: Db, from: number, to: number, set: string): (string | null)[] {
  const [low, high] = from < to ? [from, to] : [to, from]
  // By the generations, not by the set: few rows were changed, but the set may have many.
  const sql = `SELECT business_key FROM placement WHERE from_gen > ? AND from_gen <= ? AND +set_key = ?
    UNION SELECT business_key FROM placement WHERE to_gen > ? AND to_gen <= ? AND to_gen < ${OPEN} AND +set_key = ?
    ORDER BY business_key`
  const rows = all<{ business_key: string | null }>(db, sql, low, high, set, low, high, set)
  return rows.map((row) => row.business_key)
}

function generationsOfKey(db: Db, set: string, businessKey: string | null): number[] {
  // An entry ends where a different one begins, or where it is removed.
  const sql = `SELECT from_gen AS n FROM placement WHERE set_key = ? AND business_key IS ?
    UNION SELECT to_gen FROM placement WHERE set_key = ? AND business_key IS ? AND to_gen < ${OPEN}
    UNION SELECT from_gen FROM placement WHERE type IN ('config_set', 'feature_flag') AND key = ?
    ORDER BY n DESC`
  return all<{ n: number }>(db, sql, set, businessKey, set, businessKey, set).map((row) => row.n)
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

type Referrer = Reference & { from: ComponentId }

interface StoredEdge {
  source: ComponentId
  path: string
  target: ComponentId
  member: string | null
  made_by: GraphReference['origin']
}

function referencesAt(db: Db, generation: number): Map<ComponentId, GraphReference[]> {
  const sql = 'SELECT * FROM reference WHERE from_gen <= ? AND to_gen > ? ORDER BY source, rowid'
  const bySource = new Map<ComponentId, GraphReference[]>()
  for (const row of all<StoredEdge>(db, sql, generation, generation)) {
    const edges = bySource.get(row.source)
    const edge = { ...edgeOf(row), origin: row.made_by }
    if (edges === undefined) bySource.set(row.source, [edge])
    else edges.push(edge)
  }
  return bySource
}

function edgeOf({ path, target, member }: StoredEdge): Reference {
  return member === null ? { path, to: target } : { path, to: target, member }
}

function referrersOf(db: Db, generation: number, id: ComponentId, entries: boolean): Referrer[] {
  const sql =
    'SELECT * FROM reference WHERE target = ? AND from_gen <= ? AND to_gen > ? ORDER BY source, path'
  const rows = all<StoredEdge>(db, sql, id, generation, generation)
  const stored = rows.map((row): Referrer => ({ from: row.source, ...edgeOf(row) }))
  return entries ? [...stored, ...belonging(db, generation, id)] : stored
}

/** The placement of an entry records that it belongs to its set, without a separate row. */
function belonging(db: Db, generation: number, id: ComponentId): Referrer[] {
  const { type, key } = splitId(id)
  if (type !== 'config_set' && type !== 'feature_flag') return []
  const rows = all<{ key: string }>(
    db,
    'SELECT key FROM placement WHERE set_key = ? AND from_gen <= ? AND to_gen > ? ORDER BY key',
    key,
    generation,
    generation,
  )
  return rows.map((row) => ({ from: `config_entry/${row.key}` as const, path: '/body/set', to: id }))
}
