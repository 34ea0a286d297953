// The edges between components: an edge is stored with its source, from the generation that wrote it.
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import type { Reference } from '#kernel/components/define.ts'
import type { GraphReference } from '#kernel/graph/index.ts'
import type { ReferenceWrite } from '../../ports/generations.ts'
import { all, OPEN, run, type Db } from './db.ts'

type Referrer = Reference & { from: ComponentId }

interface StoredEdge {
  source: ComponentId
  path: string
  target: ComponentId
  member: string | null
  made_by: GraphReference['origin']
}

export function referencesAt(db: Db, generation: number): Map<ComponentId, GraphReference[]> {
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

export function referrersOf(db: Db, generation: number, id: ComponentId, entries: boolean): Referrer[] {
  const sql =
    'SELECT * FROM reference WHERE target = ? AND from_gen <= ? AND to_gen > ? ORDER BY source, path'
  const rows = all<StoredEdge>(db, sql, id, generation, generation)
  const stored = rows.map((row): Referrer => ({ from: row.source, ...edgeOf(row) }))
  return entries ? [...stored, ...entryReferrers(db, generation, id)] : stored
}

/** The placement of an entry records that it belongs to its set, without a separate row. */
function entryReferrers(db: Db, generation: number, id: ComponentId): Referrer[] {
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

/** Replaces the edges of a component from a generation on. */
export function writeReferences(db: Db, generation: number, { from, edges }: ReferenceWrite): void {
  run(db, `UPDATE reference SET to_gen = ? WHERE source = ? AND to_gen = ${OPEN}`, generation, from)
  for (const { path, to, member = null, origin } of edges)
    run(
      db,
      `INSERT INTO reference (source, path, target, member, made_by, from_gen, to_gen)
       VALUES (@from, @path, @to, @member, @origin, @generation, ${OPEN})`,
      { from, path, to, member, origin, generation },
    )
}
