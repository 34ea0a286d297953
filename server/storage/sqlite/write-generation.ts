// One generation: its row, versions, references, audit rows and search words, and its set facts; it is the active one.
import { canonicalJson, type JsonValue } from '#kernel/change/canonical.ts'
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import type { GenerationWrite, ReferenceWrite, SetFactsWrite, VersionWrite } from '../../ports/org-store.ts'
import type { AuditChain } from './audit-chain.ts'
import type { ComponentIdentity } from '../../ports/identities.ts'
import { one, OPEN, run, type Db } from './db.ts'
import { activeOf } from './generations.ts'
import { birthOf, identityOf, type Birth } from './identities.ts'
import { indexComponent } from './search.ts'

/** Answers the number of the new generation. Call inside a transaction. */
export function writeGeneration(db: Db, chain: AuditChain, write: GenerationWrite): number {
  const generation = activeOf(db) + 1
  insertRow(db, generation, write.row)
  // Where nothing is renamed, what is added has a name that nothing had.
  const fresh = write.row.counts.renamed === 0
  for (const version of write.versions) writeVersion(db, chain, generation, version, fresh)
  for (const references of write.references) writeReferences(db, generation, references)
  run(db, 'UPDATE org SET active = ?', generation)
  return generation
}

export function writeSetFacts(db: Db, generation: number, { sets, gone }: SetFactsWrite): void {
  for (const { set, digest, bytes } of sets) {
    closeSetFact(db, generation, set)
    run(db, 'INSERT INTO set_fact VALUES (?, ?, ?, ?, ?)', set, generation, OPEN, digest, bytes)
  }
  for (const set of gone) closeSetFact(db, generation, set)
}

function insertRow(db: Db, generation: number, row: GenerationWrite['row']): void {
  const { added, changed, renamed, removed } = row.counts
  run(
    db,
    `INSERT INTO generation (generation, kind, at, actor, operator, rationale, correlation_id, change_digest,
       added, changed, renamed, removed, slice_bytes, request)
     VALUES (@generation, @kind, @at, @actor, @operator, @rationale, @correlationId, @changeDigest,
       @added, @changed, @renamed, @removed, @sliceBytes, @request)`,
    {
      generation,
      kind: row.kind,
      at: row.at,
      actor: row.actor,
      operator: row.operator ?? null,
      rationale: row.rationale,
      correlationId: row.correlationId,
      changeDigest: row.changeDigest,
      added,
      changed,
      renamed,
      removed,
      sliceBytes: row.sliceBytes,
      request: row.request === undefined ? null : JSON.stringify(row.request),
    },
  )
}

function writeVersion(
  db: Db,
  chain: AuditChain,
  generation: number,
  version: VersionWrite,
  fresh: boolean,
): void {
  const { id, kind, component, digest } = version
  const closed = kind === 'added' ? null : closeVersion(db, generation, version.renamedFrom ?? id)
  if (component !== null && digest !== null) {
    const json = canonicalJson(component as unknown as JsonValue)
    run(db, 'INSERT OR IGNORE INTO content VALUES (?, ?)', digest, json)
    const entry = component.type === 'config_entry' ? component.body : null
    const born = closed?.identity ?? version.identity
    run(db, insertPlacement, {
      type: component.type,
      key: component.key,
      from_gen: generation,
      to_gen: OPEN,
      digest,
      set_key: entry?.set ?? null,
      business_key: entry?.key ?? null,
      ...(born === undefined ? { birth_gen: generation, birth_key: null } : birthOf(born, component.key)),
    })
  }
  if (version.renamedFrom !== null && !newlyTaken(db, generation, version.renamedFrom))
    indexComponent(db, version.renamedFrom, null, false)
  indexComponent(db, id, component, fresh && kind === 'added')
  const hints = Object.keys(version.hints).length === 0 ? null : JSON.stringify(version.hints)
  chain.append({
    generation,
    component: id,
    kind,
    before_digest: closed?.digest ?? null,
    after_digest: digest,
    hints,
    before_json: null,
    after_json: null,
    // Who, when and why are its generation's.
    at: null,
    actor: null,
    operator: null,
    correlation_id: null,
    rationale: null,
  })
}

const insertPlacement = `INSERT INTO placement
  (type, key, from_gen, to_gen, digest, set_key, business_key, birth_gen, birth_key)
  VALUES (:type, :key, :from_gen, :to_gen, :digest, :set_key, :business_key, :birth_gen, :birth_key)`

/** Ends the version that counts now, and not one that this generation gave the key to. Returns what it was. */
function closeVersion(
  db: Db,
  generation: number,
  id: ComponentId,
): { digest: string; identity: ComponentIdentity } {
  const { type, key } = splitId(id)
  const open = one<{ digest: string } & Birth>(
    db,
    `SELECT digest, birth_gen, birth_key FROM placement WHERE type = ? AND key = ? AND to_gen = ${OPEN} AND from_gen < ?`,
    type,
    key,
    generation,
  )
  if (open === undefined)
    throw new Error(`${id} is not in the active generation, so that it cannot be changed there.`)
  run(
    db,
    `UPDATE placement SET to_gen = ? WHERE type = ? AND key = ? AND to_gen = ${OPEN} AND from_gen < ?`,
    generation,
    type,
    key,
    generation,
  )
  return { digest: open.digest, identity: identityOf(type, key, open) }
}

/** Whether another component has the name since this very generation, as a rollback over renames can have it. */
function newlyTaken(db: Db, generation: number, id: ComponentId): boolean {
  const { type, key } = splitId(id)
  const sql = 'SELECT 1 FROM placement WHERE type = ? AND key = ? AND from_gen = ?'
  return one(db, sql, type, key, generation) !== undefined
}

function writeReferences(db: Db, generation: number, { from, edges }: ReferenceWrite): void {
  run(db, `UPDATE reference SET to_gen = ? WHERE source = ? AND to_gen = ${OPEN}`, generation, from)
  for (const { path, to, member, by } of edges)
    run(
      db,
      'INSERT INTO reference VALUES (?, ?, ?, ?, ?, ?, ?)',
      from,
      path,
      to,
      member ?? null,
      by,
      generation,
      OPEN,
    )
}

function closeSetFact(db: Db, generation: number, set: string): void {
  run(db, `UPDATE set_fact SET to_gen = ? WHERE set_key = ? AND to_gen = ${OPEN}`, generation, set)
}
