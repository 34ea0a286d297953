// Stored results with their bindings.
import type { JsonValue } from '#kernel/change/canonical.ts'
import { splitId } from '#kernel/components/component.ts'
import type { KeyPeriod } from '../../ports/identities.ts'
import type {
  ResultGroup,
  ResultReader,
  ResultReads,
  ResultTransactor,
  StoredResult,
} from '../../ports/results.ts'
import { all, one, run, type Db } from './db.ts'

type Stored = Omit<StoredResult, 'inputs' | 'binding'> & {
  inputs: string
  binding: string
  generation: number | null
}

/** Above the id of every result. */
const lastId = '\u{10ffff}'

export function resultReader(db: Db): ResultReader {
  return {
    get: (id) => {
      const row = one<Stored>(db, 'SELECT * FROM result WHERE id = ?', id)
      return row === undefined ? undefined : rowOf(row)
    },
    list: ({ before = lastId, generation = null, limit = 50 } = {}) =>
      all<Stored>(
        db,
        'SELECT * FROM result WHERE id < ? AND generation IS coalesce(?, generation) ORDER BY id DESC LIMIT ?',
        before,
        generation,
        limit,
      ).map(rowOf),
    boundGenerations: () => boundGenerations(db),
    boundGroups: (periods) => boundGroups(db, periods),
    listBound: (groups, options) => listBound(db, groups, options),
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

/** The sets and flags of a result as JSON text. Only compared with itself, so their order does not matter. */
const setsText = `(SELECT json_group_array(key) FROM json_each(result.binding, '$.config'))`

function boundGroups(db: Db, periods?: readonly KeyPeriod[]): ResultGroup[] {
  if (periods === undefined) return groupsOf(db, '')
  return periods.flatMap(({ id, from, to }) =>
    groupsOf(
      db,
      `AND generation >= ? AND generation < coalesce(?, generation + 1)
       AND EXISTS (SELECT 1 FROM json_each(result.binding, '$.config') WHERE key = ?)`,
      ...[from, to, splitId(id).key],
    ),
  )
}

function groupsOf(db: Db, filter: string, ...values: (string | number | null)[]): ResultGroup[] {
  const sql = `SELECT generation, ${setsText} AS sets, count(*) AS count FROM result
    WHERE state = 'bound' AND generation IS NOT NULL ${filter} GROUP BY 1, 2`
  return all<{ generation: number; sets: string; count: number }>(db, sql, ...values).map((row) => ({
    ...row,
    sets: JSON.parse(row.sets) as string[],
  }))
}

function listBound(
  db: Db,
  groups: readonly ResultReads[],
  { before = lastId, limit }: { before?: string | undefined; limit: number },
): StoredResult[] {
  const groupsJson = JSON.stringify(groups.map(({ generation, sets }) => [generation, JSON.stringify(sets)]))
  const sql = `SELECT * FROM result WHERE id < ? AND state = 'bound'
    AND (generation, ${setsText}) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))
    ORDER BY id DESC LIMIT ?`
  return all<Stored>(db, sql, before, groupsJson, limit).map(rowOf)
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
