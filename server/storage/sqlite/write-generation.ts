// Writes one generation: its row, versions, references, audit rows and search words; it becomes the active one.
import { canonicalJson, type JsonValue } from '#kernel/change/canonical.ts'
import type { Component, ComponentOf } from '#kernel/components/body-types.ts'
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import type { GenerationWrite, VersionWrite } from '../../ports/generations.ts'
import type { AuditChain, NewRow } from './audit-chain.ts'
import type { ComponentIdentity } from '../../ports/identities.ts'
import { one, OPEN, run, type Db } from './db.ts'
import { activeOf } from './generations.ts'
import { birthOf, identityOf, type Birth } from './identities.ts'
import { writeObjectFields } from './object-fields.ts'
import { writeReferences } from './references.ts'
import { RowBatch } from './row-batch.ts'
import { indexComponents, type Indexed } from './search.ts'

/** Returns the number of the new generation. Call it inside a transaction. */
export function writeGeneration(db: Db, chain: AuditChain, write: GenerationWrite): number {
  const generation = activeOf(db) + 1
  insertRow(db, generation, write.row)
  // If nothing is renamed, what is added has a name that no component had.
  const fresh = write.row.counts.renamed === 0
  const versions = new VersionWriter(db, generation, fresh)
  chain.appendAll(versions.write(write.versions))
  writeObjectFields(db, generation, versions.objects, write.restoresFrom ?? null)
  for (const references of write.references) writeReferences(db, generation, references)
  run(db, 'UPDATE org SET active = ?', generation)
  // Last: a statement of many rows makes the index write what it has in memory.
  versions.index()
  return generation
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

const contentColumns = ['digest', 'json'] as const

const placementColumns = [
  ...(['type', 'key', 'from_gen', 'to_gen', 'digest'] as const),
  ...(['set_key', 'business_key', 'birth_gen', 'birth_key'] as const),
] as const

/** Writes versions and their contents; then, separately, their words. */
class VersionWriter {
  readonly #db: Db
  readonly #generation: number
  readonly #fresh: boolean
  readonly #contents: RowBatch<(typeof contentColumns)[number]>
  readonly #placements: RowBatch<(typeof placementColumns)[number]>
  /** The objects that were written. */
  readonly objects: ComponentOf<'object'>[] = []
  readonly #words: Indexed[] = []

  constructor(db: Db, generation: number, fresh: boolean) {
    this.#db = db
    this.#generation = generation
    this.#fresh = fresh
    this.#contents = new RowBatch(db, 'INSERT OR IGNORE INTO content', contentColumns)
    this.#placements = new RowBatch(db, 'INSERT INTO placement', placementColumns, this.#contents)
  }

  /** Returns the audit row of each. */
  *write(versions: Iterable<VersionWrite>): Iterable<NewRow> {
    for (const version of versions) yield this.#write(version)
    this.#placements.flush()
  }

  /** Adds what was written to the search index. */
  index(): void {
    indexComponents(this.#db, this.#words)
  }

  #write(version: VersionWrite): NewRow {
    const { id, kind, component, digest, renamedFrom } = version
    const closed = kind === 'added' ? null : closeVersion(this.#db, this.#generation, renamedFrom ?? id)
    if (component !== null && digest !== null)
      this.#place(component, digest, closed?.identity ?? version.identity)
    if (renamedFrom !== null && !this.#isNewlyTaken(renamedFrom))
      this.#words.push({ id: renamedFrom, component: null, isNew: false })
    this.#words.push({ id, component, isNew: this.#fresh && kind === 'added' })
    const hints = Object.keys(version.hints).length === 0 ? null : JSON.stringify(version.hints)
    return {
      generation: this.#generation,
      component: id,
      kind,
      before_digest: closed?.digest ?? null,
      after_digest: digest,
      hints,
      before_json: null,
      after_json: null,
      // Author, time and rationale are those of its generation.
      at: null,
      actor: null,
      operator: null,
      correlation_id: null,
      rationale: null,
    }
  }

  #place(component: Component, digest: string, born: ComponentIdentity | undefined): void {
    const { type, key } = component
    if (component.type === 'object') this.objects.push(component)
    const entry = type === 'config_entry' ? component.body : null
    const birth = born === undefined ? { birth_gen: this.#generation, birth_key: null } : birthOf(born, key)
    this.#contents.add({ digest, json: canonicalJson(component as unknown as JsonValue) })
    this.#placements.add({
      type,
      key,
      from_gen: this.#generation,
      to_gen: OPEN,
      digest,
      set_key: entry?.set ?? null,
      business_key: entry?.key ?? null,
      birth_gen: birth.birth_gen,
      birth_key: birth.birth_key,
    })
  }

  /** Whether another component has the name since this same generation, as after a rollback over renames. */
  #isNewlyTaken(id: ComponentId): boolean {
    this.#placements.flush()
    const { type, key } = splitId(id)
    const sql = 'SELECT 1 FROM placement WHERE type = ? AND key = ? AND from_gen = ?'
    return one(this.#db, sql, type, key, this.#generation) !== undefined
  }
}

/** Ends the current version, but not one to which this generation gave the key. Returns the ended version. */
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
    throw new Error(`${id} is not in the active generation, so it cannot be changed there.`)
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
