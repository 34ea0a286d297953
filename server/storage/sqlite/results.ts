// Stored results with their bindings.
import type { JsonValue } from '#kernel/change/canonical.ts'
import { splitId } from '#kernel/components/component.ts'
import type { KeyPeriod } from '../../ports/identities.ts'
import type { ResultReader, ResultTransactor, StoredResult } from '../../ports/results.ts'
import { all, one, run, type Db } from './db.ts'

type Stored = Omit<StoredResult, 'inputs' | 'binding'> & {
  inputs: string
  binding: string
  generation: number | null
}

export function resultReader(db: Db): ResultReader {
  return {
    get: (id) => {
      const row = one<Stored>(db, 'SELECT * FROM result WHERE id = ?', id)
      return row === undefined ? undefined : rowOf(row)
    },
    list: ({ before = '\u{10ffff}', generation = null, limit = 50 } = {}) =>
      all<Stored>(
        db,
        'SELECT * FROM result WHERE id < ? AND generation IS coalesce(?, generation) ORDER BY id DESC LIMIT ?',
        before,
        generation,
        limit,
      ).map(rowOf),
    boundGenerations: () => boundGenerations(db),
    countBound: (periods) => countBound(db, periods),
  }
}

export function resultTransactor(db: Db, reader: ResultReader): ResultTransactor {
  return { ...reader, put: (row) => putResult(db, row) }
}

export function boundGenerations(db: Db): Map<number, number> {
  const sql = `SELECT generation, count(*) AS n FROM result
    WHERE state = 'bound' AND generation IS NOT NULL GROUP BY generation`
  return new Map(all<{ generation: number; n: number }>(db, sql).map((row) => [row.generation, row.n]))
}

function countBound(db: Db, periods: readonly KeyPeriod[]): number {
  const sql = `SELECT count(*) AS n FROM result
    WHERE state = 'bound' AND generation >= ? AND generation < coalesce(?, generation + 1)
    AND EXISTS (SELECT 1 FROM json_each(result.binding, '$.config') WHERE key = ?)`
  const counts = periods.map(({ id, from, to }) => one<{ n: number }>(db, sql, from, to, splitId(id).key)!.n)
  return counts.reduce((sum, n) => sum + n, 0)
}

function putResult(db: Db, row: StoredResult): void {
  run(
    db,
    `INSERT OR REPLACE INTO result (id, label, at, actor, expression, inputs, value, binding, generation, state)
     VALUES (@id, @label, @at, @actor, @expression, @inputs, @value, @binding, @generation, @state)`,
    {
      ...row,
      inputs: JSON.stringify(row.inputs),
      binding: JSON.stringify(row.binding),
      generation: generationOf(row.binding),
    },
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
