// The identity of a component in addition to its key: the key and the generation with which it was added. For stored
// components, it follows from the renames in the audit; purged content begins where it is still stored.
import type { ComponentId } from '#kernel/components/component.ts'
import type { Birth } from '../identities.ts'
import type { Db } from '../db.ts'

export function identities(db: Db): void {
  db.exec(`
    ALTER TABLE placement ADD COLUMN birth_gen INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE placement ADD COLUMN birth_key TEXT;
    CREATE INDEX placement_by_birth ON placement (type, birth_key, birth_gen) WHERE birth_key IS NOT NULL;
  `)
  const { added, renamed } = arrivals(db)
  const update = db.prepare(
    'UPDATE placement SET birth_gen = ?, birth_key = ? WHERE type = ? AND key = ? AND from_gen = ?',
  )
  const last = new Map<ComponentId, Birth & { to: number }>()
  for (const [generation, rows] of Map.groupBy(placements(db), ({ from_gen }) => from_gen)) {
    // Keys may be swapped within one generation, so it is read completely before any of it is used.
    const births = rows.map(({ type, key, to_gen }) => {
      const id = `${type}/${key}` as ComponentId
      const arrival = `${generation} ${id}`
      const old = renamed.get(arrival) ?? key
      const before = added.has(arrival) ? undefined : last.get(`${type}/${old}` as ComponentId)
      if (before?.to !== generation) return { id, birth_gen: generation, birth_key: null, to: to_gen }
      const born = before.birth_key ?? old
      return { id, birth_gen: before.birth_gen, birth_key: born === key ? null : born, to: to_gen }
    })
    for (const [index, { id, ...birth }] of births.entries()) {
      const { type, key } = rows[index]!
      last.set(id, birth)
      update.run(birth.birth_gen, birth.birth_key, type, key, generation)
    }
  }
}

interface PlacementRow {
  type: string
  key: string
  from_gen: number
  to_gen: number
}

function placements(db: Db): PlacementRow[] {
  return db
    .prepare('SELECT type, key, from_gen, to_gen FROM placement ORDER BY from_gen')
    .all() as PlacementRow[]
}

interface ArrivalRow {
  generation: number
  component: string
  kind: 'added' | 'renamed'
  old: string | null
}

/** By generation and id: what was added, and the old keys of what was renamed. */
function arrivals(db: Db): { added: Set<string>; renamed: Map<string, string> } {
  const rows = db
    .prepare(
      `SELECT a.generation, a.component, a.kind, c.json ->> '$.key' AS old FROM audit a
       LEFT JOIN content c ON c.digest = a.before_digest
       WHERE a.generation IS NOT NULL AND a.kind IN ('added', 'renamed')`,
    )
    .all() as ArrivalRow[]
  const place = ({ generation, component }: ArrivalRow): string => `${generation} ${component}`
  return {
    added: new Set(rows.filter(({ kind }) => kind === 'added').map(place)),
    renamed: new Map(
      rows.flatMap((row) => (row.kind === 'renamed' && row.old ? [[place(row), row.old]] : [])),
    ),
  }
}
