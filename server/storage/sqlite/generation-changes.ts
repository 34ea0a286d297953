// Reads what each of many generations changed, in one statement for definitions and one for sets: for pages of
// generations.
import type { ComponentId } from '#kernel/components/component.ts'
import type { GenerationChanges } from '../../ports/generations.ts'
import { all, OPEN, type Db } from './db.ts'

export function generationChanges(db: Db, generations: readonly number[]): Map<number, GenerationChanges> {
  const generationsJson = JSON.stringify(generations)
  const changes = new Map<number, GenerationChanges>(
    generations.map((generation) => [generation, { definitions: [], sets: [] }]),
  )
  for (const { generation, id } of all<{ generation: number; id: ComponentId }>(
    db,
    definitionsSql,
    generationsJson,
  ))
    changes.get(generation)!.definitions.push(id)
  for (const { generation, set } of all<{ generation: number; set: string }>(db, setsSql, generationsJson))
    changes.get(generation)!.sets.push(set)
  return changes
}

/** Uses ranges of the indexes, so that a generation of 100,000 entries costs no more than one of ten. */
const definitionsSql = `WITH wanted AS MATERIALIZED (SELECT value AS generation FROM json_each(?))
  ${['from_gen', 'to_gen']
    .flatMap((column) =>
      ['<', '>'].map(
        (side) => `SELECT w.generation, p.type || '/' || p.key AS id FROM wanted w CROSS JOIN placement p
          WHERE p.${column} = w.generation AND p.${column} < ${OPEN} AND p.type ${side} 'config_entry'`,
      ),
    )
    .join(' UNION ')}`

/** A set whose facts a generation wrote again without a difference did not change. */
const setsSql = `WITH wanted AS MATERIALIZED (SELECT value AS generation FROM json_each(?)),
  facts AS (
    SELECT w.generation, f.set_key, f.digest FROM wanted w CROSS JOIN set_fact f WHERE f.from_gen = w.generation
    UNION ALL SELECT w.generation, f.set_key, f.digest FROM wanted w CROSS JOIN set_fact f
      WHERE f.to_gen = w.generation AND f.to_gen < ${OPEN}
  )
  SELECT generation, set_key AS "set" FROM facts
  GROUP BY generation, set_key HAVING count(*) = 1 OR min(digest) <> max(digest)`

/** Generations that changed an entry of this key, or the definition of its set or flag; newest first. */
export function generationsOfKey(db: Db, set: string, businessKey: string | null): number[] {
  // An entry ends where another one begins, or where it is removed.
  const sql = `SELECT from_gen AS n FROM placement WHERE set_key = ? AND business_key IS ?
    UNION SELECT to_gen FROM placement WHERE set_key = ? AND business_key IS ? AND to_gen < ${OPEN}
    UNION SELECT from_gen FROM placement WHERE type IN ('config_set', 'feature_flag') AND key = ?
    ORDER BY n DESC`
  return all<{ n: number }>(db, sql, set, businessKey, set, businessKey, set).map((row) => row.n)
}
