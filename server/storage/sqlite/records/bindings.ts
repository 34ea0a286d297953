// The bindings of records. Equal bindings are stored once: most records have those of others.
import type { StoredBinding } from '#kernel/records/index.ts'
import { RecentCache } from '#kernel/memo/recent-cache.ts'
import type { BoundRecords, KeptCount } from '../../../ports/record-facts.ts'
import { all, insertReturningId, one, run, type Db } from '../db.ts'
import { mappedTables } from './table-map.ts'

/** In place of the generation of an archived value's binding, which keeps none. */
export const keepsNone = -1

/** Number of different bindings that are kept parsed. */
const maxBindings = 5000

export class Bindings {
  readonly #db: Db
  readonly #ids = new RecentCache<number>(maxBindings)
  /** Records of one request share their bindings. */
  readonly #known = new WeakMap<StoredBinding, number>()
  readonly #parsed = new RecentCache<StoredBinding>(maxBindings)
  #generations: readonly number[] | null = null

  constructor(db: Db) {
    this.#db = db
  }

  idOf(binding: StoredBinding): number {
    let id = this.#known.get(binding)
    if (id === undefined) this.#known.set(binding, (id = this.#idOf(binding)))
    return id
  }

  #idOf(binding: StoredBinding): number {
    const text = JSON.stringify(binding)
    let id = this.#ids.get(text)
    if (id === undefined) {
      id =
        one<{ id: number }>(this.#db, 'SELECT id FROM record_binding WHERE text = ?', text)?.id ??
        this.#add(binding.archived === undefined ? binding.generation : keepsNone, text)
      this.#ids.put(text, id, 1)
    }
    return id
  }

  at(id: number): StoredBinding {
    let binding = this.#parsed.get(String(id))
    if (binding === undefined) {
      const row = one<{ text: string }>(this.#db, 'SELECT text FROM record_binding WHERE id = ?', id)
      binding = JSON.parse(row!.text) as StoredBinding
      this.#parsed.put(String(id), binding, 1)
    }
    return binding
  }

  /** `generationsOfRecords`, read once in a transaction. */
  generations(): readonly number[] {
    return (this.#generations ??= generationsOfRecords(this.#db))
  }

  /** Called when a transaction begins: others may have added bindings. */
  begin(): void {
    this.#generations = null
  }

  #add(generation: number, text: string): number {
    this.#generations = null
    const sql = 'INSERT INTO record_binding (generation, text) VALUES (?, ?)'
    return Number(insertReturningId(this.#db, sql, generation, text))
  }
}

/** The generations that bindings keep, ascending; some may no longer be in use. One step of the index for each. */
export function generationsOfRecords(db: Db): number[] {
  const sql = 'SELECT min(generation) AS generation FROM record_binding WHERE generation > ?'
  const generations: number[] = []
  for (let last = keepsNone; ;) {
    const next = one<{ generation: number | null }>(db, sql, last)?.generation ?? null
    if (next === null) return generations
    generations.push((last = next))
  }
}

/** How many records of each object have a value that is bound to a generation before this one. Reads every record. */
export function boundRecords(db: Db, before: number): BoundRecords[] {
  const kept = 'SELECT id FROM record_binding WHERE generation > @keepsNone AND generation < @before'
  if (db.prepare(`${kept} LIMIT 1`).get({ before, keepsNone }) === undefined) return []
  return mappedTables(db).flatMap(({ object, name, columns }) => {
    const bound = columns.flatMap(({ bound: isBound, binding }) => (isBound ? [binding] : []))
    const generations = new Set<number>()
    for (const binding of bound)
      for (const { generation } of all<{ generation: number }>(
        db,
        `SELECT DISTINCT generation FROM (SELECT DISTINCT ${binding} AS id FROM ${name}) JOIN record_binding USING (id)
         WHERE generation > ? AND generation < ?`,
        keepsNone,
        before,
      ))
        generations.add(generation)
    if (generations.size === 0) return []
    const where = bound.map((binding) => `${binding} IN (${kept})`).join(' OR ')
    const sql = `SELECT count(*) AS records FROM ${name} WHERE ${where}`
    const { records } = db.prepare(sql).get({ before, keepsNone }) as { records: number }
    return [{ object, records, generations: [...generations].sort((a, b) => a - b) }]
  })
}

/** How many values of a column keep the formula of each generation: those whose binding names configuration. */
export function keptValues(db: Db, table: string, binding: string): KeptCount[] {
  return all<KeptCount>(
    db,
    `SELECT generation, sum(count) AS count
     FROM (SELECT ${binding} AS id, count(*) AS count FROM ${table} WHERE ${binding} IS NOT NULL GROUP BY ${binding})
     JOIN record_binding USING (id)
     WHERE generation > ${keepsNone} AND (text ->> '$.config' <> '{}' OR text ->> '$.functions' <> '{}')
     GROUP BY generation ORDER BY generation`,
  )
}

/** Deletes bindings to generations before one that no record has. Reads every record. */
export function deleteUnusedBindings(db: Db, before: number): void {
  const candidates = all<{ id: number }>(db, 'SELECT id FROM record_binding WHERE generation < ?', before)
  const unused = new Set(candidates.map(({ id }) => id))
  if (unused.size === 0) return
  for (const { name, columns } of mappedTables(db))
    for (const { bound, binding } of columns) {
      if (!bound) continue
      const sql = `SELECT DISTINCT ${binding} AS id FROM ${name} WHERE ${binding} IS NOT NULL`
      for (const { id } of all<{ id: number }>(db, sql)) unused.delete(id)
    }
  for (const id of unused) run(db, 'DELETE FROM record_binding WHERE id = ?', id)
}
