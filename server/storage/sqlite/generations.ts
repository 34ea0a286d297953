// Generations: their rows, what each changed, and the view of the components of one.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { GenerationKind, GenerationRequest } from '#wire/index.ts'
import type { DescriptionReader } from '../../ports/descriptions.ts'
import type { GenerationReader, StoredGeneration } from '../../ports/generations.ts'
import { all, one, type Db } from './db.ts'
import { generationChanges, generationsOfKey } from './generation-changes.ts'
import { GenerationView, type ParsedCache } from './generation-view.ts'

interface Stored {
  generation: number
  kind: GenerationKind
  at: string
  actor: string
  operator: string | null
  rationale: string
  correlation_id: string
  change_digest: string
  added: number
  changed: number
  renamed: number
  removed: number
  slice_bytes: number
  request: string | null
}

export function generationReader(
  db: Db,
  cache: ParsedCache,
  descriptions: DescriptionReader,
): GenerationReader {
  return {
    active: () => activeOf(db),
    get: (generation) => {
      const row = one<Stored>(db, 'SELECT * FROM generation WHERE generation = ?', generation)
      return row === undefined ? undefined : rowOf(row)
    },
    list: ({ before = Number.MAX_SAFE_INTEGER, limit = 50 } = {}) =>
      all<Stored>(
        db,
        'SELECT * FROM generation WHERE generation < ? ORDER BY generation DESC LIMIT ?',
        before,
        limit,
      ).map(rowOf),
    view: (generation) => {
      requireContent(db, generation)
      return new GenerationView(db, generation, cache, descriptions)
    },
    changesOf: (generations) => generationChanges(db, generations),
    ofKey: (set, key) => generationsOfKey(db, set, key),
  }
}

export function activeOf(db: Db): number {
  return one<{ active: number }>(db, 'SELECT active FROM org')!.active
}

function requireContent(db: Db, generation: number): void {
  // Generation 0 is the empty one, on which the first apply is based.
  if (generation === 0) return
  const row = one<{ purged: number }>(db, 'SELECT purged FROM generation WHERE generation = ?', generation)
  if (row?.purged === 0) return
  const why = row === undefined ? `The active one is ${activeOf(db)}.` : 'Its content was purged.'
  throw new AlmanacError('generation.not_found', `Generation ${generation} does not exist. ${why}`)
}

function rowOf(row: Stored): StoredGeneration {
  return {
    generation: row.generation,
    kind: row.kind,
    at: row.at,
    actor: row.actor,
    rationale: row.rationale,
    correlationId: row.correlation_id,
    changeDigest: row.change_digest,
    counts: { added: row.added, changed: row.changed, renamed: row.renamed, removed: row.removed },
    sliceBytes: row.slice_bytes,
    ...(row.operator === null ? {} : { operator: row.operator }),
    ...(row.request === null ? {} : { request: JSON.parse(row.request) as GenerationRequest }),
  }
}
