// Checks contents by their digests, and placements against the audit and the contents.
import { hash } from 'node:crypto'
import type { Finding } from '#kernel/errors/finding.ts'
import { all, one, OPEN, type Db } from '../db.ts'
import { createBirthChecks } from './birth-checks.ts'
import { fault } from './fault.ts'

interface Content {
  type: string
  key: string
  set: string | null
  businessKey: string | null
}

interface Placement {
  type: string
  key: string
  from_gen: number
  to_gen: number
  digest: string
  set_key: string | null
  business_key: string | null
}

/** Number of rows per step. */
const page = 1000

export function contentFaults(db: Db): Finding[] {
  const contents = new Map<string, Content>()
  const faults: Finding[] = []
  for (const { digest, json } of rowsOf<{ digest: string; json: string }>(db, 'content', 'digest')) {
    if (`jcs1:sha256:${hash('sha256', json, 'hex')}` === digest) contents.set(digest, contentOf(json))
    else
      faults.push(
        fault('integrity.content', subjectOf(db, digest), 'The stored content does not match its digest.'),
      )
  }
  return [...faults, ...placementFaults(db, contents)]
}

/** The component that has this content, for a message. */
function subjectOf(db: Db, digest: string): string {
  const row = one<{ id: string }>(
    db,
    `SELECT type || '/' || key AS id FROM placement WHERE digest = ? ORDER BY from_gen DESC LIMIT 1`,
    digest,
  )
  return row?.id ?? `content/${digest}`
}

function contentOf(json: string): Content {
  const { type, key, body } = JSON.parse(json) as {
    type: string
    key: string
    body?: { set?: unknown; key?: unknown }
  }
  const isEntry = type === 'config_entry'
  return {
    type,
    key,
    set: isEntry ? String(body?.set) : null,
    businessKey: isEntry && typeof body?.key === 'string' ? body.key : null,
  }
}

/** Each change in the audit opens or closes a placement, so the audit determines all placements. */
function placementFaults(db: Db, contents: ReadonlyMap<string, Content>): Finding[] {
  const expected = new Map<string, Placement>()
  const open = new Map<string, Placement>()
  const faults: Finding[] = []
  const births = createBirthChecks(db)
  for (const changes of generationsOf(db)) {
    const before = new Map<string, Placement>()
    for (const { before_digest: digest, component } of changes) {
      if (digest === null) continue
      const content = contents.get(digest)
      const id = content === undefined ? component : `${content.type}/${content.key}`
      const placement = open.get(id)
      if (placement !== undefined) before.set(component, placement)
      if (placement?.digest === digest) placement.to_gen = changes[0]!.generation
      else faults.push(placementFault(component, 'A change to it is based on a version that was not active.'))
      open.delete(id)
    }
    for (const { after_digest: after, generation, component } of changes) {
      if (after === null) continue
      const content = contents.get(after)
      if (content === undefined || `${content.type}/${content.key}` !== component) {
        faults.push(placementFault(component, 'Its content is missing, or belongs to another component.'))
        continue
      }
      const { type, key, set, businessKey } = content
      const place = { type, key, from_gen: generation, to_gen: OPEN, digest: after }
      const placement = { ...place, set_key: set, business_key: businessKey }
      expected.set(`${component}@${generation}`, placement)
      open.set(component, placement)
      if (!births.isConsistent(placement, before.get(component)))
        faults.push(placementFault(component, 'Its identity differs from the identity in the audit.'))
    }
  }
  return [...faults, ...difference(db, expected)]
}

interface AuditedChange {
  generation: number
  component: string
  before_digest: string | null
  after_digest: string | null
}

/** The changes of each generation, oldest first. */
function* generationsOf(db: Db): Iterable<AuditedChange[]> {
  const generations = all<{ generation: number }>(db, 'SELECT generation FROM generation ORDER BY generation')
  for (const { generation } of generations) {
    const changes = all<AuditedChange>(
      db,
      `SELECT generation, component, before_digest, after_digest FROM audit
       WHERE generation = ? AND (before_digest IS NOT NULL OR after_digest IS NOT NULL) ORDER BY id`,
      generation,
    )
    if (changes.length > 0) yield changes
  }
}

function difference(db: Db, expected: Map<string, Placement>): Finding[] {
  // Everything that ended before the first stored generation was purged.
  const oldestGeneration = one<{ oldest: number | null }>(
    db,
    'SELECT max(generation) + 1 AS oldest FROM generation WHERE purged = 1',
  )!.oldest
  const faults: Finding[] = []
  const placements = all<Placement>(
    db,
    'SELECT type, key, from_gen, to_gen, digest, set_key, business_key FROM placement',
  )
  for (const placement of placements) {
    const id = `${placement.type}/${placement.key}`
    const expectedPlacement = expected.get(`${id}@${placement.from_gen}`)
    expected.delete(`${id}@${placement.from_gen}`)
    if (expectedPlacement === undefined || !isSamePlacement(expectedPlacement, placement))
      faults.push(placementFault(id, 'The generations in which it is active differ from those in the audit.'))
  }
  for (const { type, key, to_gen } of expected.values())
    if (oldestGeneration === null || to_gen > oldestGeneration)
      faults.push(placementFault(`${type}/${key}`, 'A version of it that the audit names is missing.'))
  return faults
}

function isSamePlacement(a: Placement, b: Placement): boolean {
  return (
    a.to_gen === b.to_gen &&
    a.digest === b.digest &&
    a.set_key === b.set_key &&
    a.business_key === b.business_key
  )
}

function placementFault(id: string, message: string): Finding {
  return fault('integrity.placement', id, message)
}

export function* rowsOf<Row extends object>(db: Db, table: string, key: keyof Row & string): Iterable<Row> {
  let after = ''
  for (;;) {
    const rows = all<Row>(
      db,
      `SELECT * FROM "${table}" WHERE "${key}" > ? ORDER BY "${key}" LIMIT ${page}`,
      after,
    )
    yield* rows
    if (rows.length < page) return
    after = String(rows.at(-1)![key])
  }
}
