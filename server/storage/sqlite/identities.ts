// Identities of components: type, key and generation of creation. The original key is stored only after a rename.
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import type { ComponentIdentity, KeyHolder, IdentityReader, KeyPeriod } from '../../ports/identities.ts'
import { all, one, OPEN, type Db } from './db.ts'

/** The columns of a placement that contain the identity of its component. */
export interface Birth {
  birth_gen: number
  /** Null if it equals the key. */
  birth_key: string | null
}

export function identityReader(db: Db): Omit<IdentityReader, 'fields' | 'fieldsOf' | 'objectVersions'> {
  return {
    at: (generation, id) => identityAt(db, generation, id),
    keyPeriods: (each) => spellsOf(db, each),
    keysOf: (each) => [
      ...new Set([parseIdentity(each).key, ...spellsOf(db, each).map(({ id }) => splitId(id).key)]),
    ],
    holders: (id) => holdersOf(db, id),
    keyMovesBetween: (from, to) => movedBetween(db, from, to),
  }
}

/** Undefined if the id does not exist in the generation. */
export function identityAt(db: Db, generation: number, id: ComponentId): ComponentIdentity | undefined {
  const { type, key } = splitId(id)
  const sql =
    'SELECT birth_gen, birth_key FROM placement WHERE type = ? AND key = ? AND from_gen <= ? AND to_gen > ?'
  const birth = one<Birth>(db, sql, type, key, generation, generation)
  return birth === undefined ? undefined : identityOf(type, key, birth)
}

/** The identity as the columns of a placement under this key. */
export function birthOf(each: ComponentIdentity, key: string): Birth {
  const born = parseIdentity(each)
  return { birth_gen: born.generation, birth_key: born.key === key ? null : born.key }
}

/** The identity of a placement under this key. */
export function identityOf(type: string, key: string, { birth_gen, birth_key }: Birth): ComponentIdentity {
  return `${type}/${birth_key ?? key}@${birth_gen}` as ComponentIdentity
}

function parseIdentity(each: ComponentIdentity): { type: string; key: string; generation: number } {
  const [slash, at] = [each.indexOf('/'), each.lastIndexOf('@')]
  return {
    type: each.slice(0, slash),
    key: each.slice(slash + 1, at),
    generation: Number(each.slice(at + 1)),
  }
}

interface PlacementRow {
  key: string
  from_gen: number
  to_gen: number
}

function spellsOf(db: Db, each: ComponentIdentity): KeyPeriod[] {
  const { type, key, generation } = parseIdentity(each)
  const sql = `SELECT key, from_gen, to_gen FROM placement
      WHERE type = :type AND key = :key AND birth_gen = :generation AND birth_key IS NULL
    UNION ALL SELECT key, from_gen, to_gen FROM placement
      WHERE type = :type AND birth_key = :key AND birth_gen = :generation
    ORDER BY from_gen`
  const spells: KeyPeriod[] = []
  for (const row of all<PlacementRow>(db, sql, { type, key, generation })) {
    const id = `${type}/${row.key}` as ComponentId
    const to = row.to_gen === OPEN ? null : row.to_gen
    const last = spells.at(-1)
    if (last?.id === id && last.to === row.from_gen) last.to = to
    else spells.push({ id, from: row.from_gen, to })
  }
  return spells
}

function holdersOf(db: Db, id: ComponentId): KeyHolder[] {
  const { type, key } = splitId(id)
  const sql =
    'SELECT from_gen, to_gen, birth_gen, birth_key FROM placement WHERE type = ? AND key = ? ORDER BY from_gen'
  const holders: KeyHolder[] = []
  for (const { from_gen: from, to_gen, ...birth } of all<Omit<PlacementRow, 'key'> & Birth>(
    db,
    sql,
    type,
    key,
  )) {
    const identity = identityOf(type, key, birth)
    const to = to_gen === OPEN ? null : to_gen
    const last = holders.at(-1)
    if (last?.identity === identity && last.to === from) last.to = to
    else holders.push({ identity, from: last === undefined ? heldSince(db, id, from, birth) : from, to })
  }
  return holders
}

/**
 * The generation since which a component has its id; its first stored version is that of `from`. Earlier versions may
 * have been purged: it had the id since its creation if the audit names no other arrival there.
 */
function heldSince(db: Db, id: ComponentId, from: number, { birth_gen: birth, birth_key }: Birth): number {
  if (birth_key !== null || birth >= from) return from
  const sql = `SELECT 1 FROM audit WHERE component = ? AND kind IN ('added', 'renamed')
    AND generation > ? AND generation <= ? LIMIT 1`
  return one(db, sql, id, birth, from) === undefined ? birth : from
}

interface MoveRow {
  type: string
  key: string
  now: string | null
  taken: 0 | 1
}

function movedBetween(db: Db, from: number, to: number): Map<ComponentId, ComponentId | null> {
  const sql = `SELECT a.type, a.key, COALESCE(
        (SELECT b.key FROM placement b WHERE b.type = a.type AND b.key = COALESCE(a.birth_key, a.key)
          AND b.birth_gen = a.birth_gen AND b.birth_key IS NULL AND b.from_gen <= :to AND b.to_gen > :to),
        (SELECT b.key FROM placement b WHERE b.type = a.type AND b.birth_key = COALESCE(a.birth_key, a.key)
          AND b.birth_gen = a.birth_gen AND b.from_gen <= :to AND b.to_gen > :to)) AS now,
      EXISTS (SELECT 1 FROM placement c
        WHERE c.type = a.type AND c.key = a.key AND c.from_gen <= :to AND c.to_gen > :to) AS taken
    FROM placement a WHERE a.to_gen > :from AND a.to_gen <= :to AND a.to_gen < ${OPEN} AND a.from_gen <= :from`
  const moved = new Map<ComponentId, ComponentId | null>()
  const entries: MoveRow[] = []
  for (const row of all<MoveRow>(db, sql, { from, to })) {
    const id = `${row.type}/${row.key}` as ComponentId
    if (row.now !== null) {
      if (row.now !== row.key) moved.set(id, `${row.type}/${row.now}` as ComponentId)
    } else if (row.taken === 1) {
      if (row.type === 'config_entry') entries.push(row)
      else moved.set(id, null)
    }
  }
  const arrived = new Set(moved.values())
  for (const { key } of entries) {
    const id: ComponentId = `config_entry/${key}`
    const set = key.slice(0, key.indexOf('.'))
    if (arrived.has(id) || moved.has(`config_set/${set}`) || moved.has(`feature_flag/${set}`))
      moved.set(id, null)
  }
  return moved
}
