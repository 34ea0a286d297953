// Stored results with their bindings.
import type { JsonValue } from '#kernel/change/canonical.ts'
import { splitId } from '#kernel/components/component.ts'
import type { KeyPeriod } from '../../ports/identities.ts'
import type { OrgReader, StoredResult } from '../../ports/org-store.ts'
import { all, one, run, type Db } from './db.ts'

type Stored = Omit<StoredResult, 'inputs' | 'binding'> & {
  inputs: string
  binding: string
  generation: number | null
}

export function result(db: Db, id: string): StoredResult | undefined {
  const row = one<Stored>(db, 'SELECT * FROM result WHERE id = ?', id)
  return row === undefined ? undefined : rowOf(row)
}

/** Newest first; `before` is the id of a result, which grows with time. */
export function results(db: Db, options: Parameters<OrgReader['results']>[0] = {}): StoredResult[] {
  const { before = '\u{10ffff}', generation = null, limit = 50 } = options
  const sql =
    'SELECT * FROM result WHERE id < ? AND generation IS coalesce(?, generation) ORDER BY id DESC LIMIT ?'
  return all<Stored>(db, sql, before, generation, limit).map(rowOf)
}

export function boundGenerations(db: Db): Map<number, number> {
  const sql = `SELECT generation, count(*) AS n FROM result
    WHERE state = 'bound' AND generation IS NOT NULL GROUP BY generation`
  return new Map(all<{ generation: number; n: number }>(db, sql).map((row) => [row.generation, row.n]))
}

/** The number of bound stored results that read a set or flag, under each key that it had. */
export function resultsBinding(db: Db, spells: readonly KeyPeriod[]): number {
  const sql = `SELECT count(*) AS n FROM result
    WHERE state = 'bound' AND generation >= ? AND generation < coalesce(?, generation + 1)
    AND EXISTS (SELECT 1 FROM json_each(result.binding, '$.config') WHERE key = ?)`
  const counts = spells.map(({ id, from, to }) => one<{ n: number }>(db, sql, from, to, splitId(id).key)!.n)
  return counts.reduce((sum, n) => sum + n, 0)
}

export function putResult(db: Db, row: StoredResult): void {
  run(
    db,
    'INSERT OR REPLACE INTO result VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    row.id,
    row.label,
    row.at,
    row.actor,
    row.expression,
    JSON.stringify(row.inputs),
    row.value,
    JSON.stringify(row.binding),
    generationOf(row.binding),
    row.state,
  )
}

function generationOf(binding: JsonValue): number | null {
  const generation = (binding as { generation?: unknown } | null)?.generation
  return typeof generation === 'number' ? generation : null
}

function rowOf({ generation: _, ...row }: Stored): StoredResult {
  return {
    ...row,
    inputs: JSON.parse(row.inputs) as JsonValue,
    binding: JSON.parse(row.binding) as JsonValue,
  }
}
