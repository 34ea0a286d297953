// Runs the items of a request in one transaction. Each item is undone alone if it fails, or with all others.
import type { ScopePath } from '#kernel/components/scopes.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { isStorageFailure } from '#kernel/errors/storage-failure.ts'
import type { RecordAccess } from '../access/index.ts'
import type { RecordTransactor, StoredRecord } from '../ports/record-store.ts'
import type { RecordDeps } from './deps.ts'
import { saveItem } from './save/save-item.ts'
import type { SaveContext, SaveItem, TraceStep } from './save/save.ts'

/** How long the saves of a request can take, in milliseconds. */
const deadlineMs = 5000

export interface SaveRequest {
  /** The generation that was active when the request arrived. */
  generation: number
  actor: string
  /** What the actor can do with records of the generation. */
  access: RecordAccess
  correlationId: string
  scopePath: ScopePath
  items: readonly RequestItem[]
  /** Whether a failed item undoes all others. */
  allOrNone: boolean
  /** Whether errors are kept, and shown to other users. */
  keepsErrors?: boolean
  trace?: (step: TraceStep) => void
  /** Called with the place of each item before it is saved. */
  begin?: (index: number) => void
}

/** An item, or one that depends on stored records or on the items before it. */
export type RequestItem = SaveItem | ItemResolver
export type ItemResolver = (context: SaveContext, before: readonly SaveOutcome[]) => Promise<SaveItem>

export type SaveOutcome =
  /** `record` is null if it was deleted; `id` is that of an existing record, null for a new one. */
  { ok: true; id: string | null; record: StoredRecord | null } | { ok: false; error: AlmanacError }

/**
 * Returns an outcome for each item, in their order.
 * @throws AlmanacError of the failed item, if `allOrNone`; `limit.save_deadline`, `org.busy`, `storage.*`: nothing was saved
 */
export function runSaves(deps: RecordDeps, request: SaveRequest): Promise<SaveOutcome[]> {
  const work = (tx: RecordTransactor): Promise<SaveOutcome[]> => saveInTransaction(deps, tx, request)
  return isMany(request.items) ? deps.store.writeMany(work) : deps.store.write(work)
}

/** Fewer are written as fast by one thread. */
const many = 8

export const isMany = (items: readonly unknown[]): boolean => items.length >= many

/** The same within a transaction, which the caller undoes if it throws. */
export async function saveInTransaction(
  { snapshots, clock, ids }: Omit<RecordDeps, 'store'>,
  tx: RecordTransactor,
  request: SaveRequest,
): Promise<SaveOutcome[]> {
  const { items, allOrNone, begin = () => undefined } = request
  const newContext = saveContexts({ snapshots, clock, ids }, tx, request)
  const outcomes: SaveOutcome[] = []
  for (const [index, item] of items.entries()) {
    begin(index)
    const context = newContext()
    try {
      const resolved = typeof item === 'function' ? await item(context, outcomes) : item
      outcomes.push({
        ok: true,
        id: resolved.op === 'insert' ? null : resolved.id,
        // A failed item that undoes all others is not undone alone.
        record: await (allOrNone
          ? saveItem(context, resolved)
          : tx.savepoint(() => saveItem(context, resolved))),
      })
    } catch (error) {
      if (allOrNone || !(error instanceof AlmanacError) || isOfRequest(error)) throw error
      // What it has confirmed was undone with it.
      context.confirmed.clear()
      outcomes.push({ ok: false, error })
    }
  }
  return outcomes
}

type ContextParts = Omit<SaveRequest, 'items' | 'allOrNone' | 'begin'>

/**
 * Makes the context of each item of a request.
 *
 * @param depth how many automations after commits have led to the request
 */
export function saveContexts(
  { snapshots, clock, ids }: Omit<RecordDeps, 'store'>,
  tx: RecordTransactor,
  { generation, actor, access, correlationId, scopePath, trace, keepsErrors = false }: ContextParts,
  depth = 0,
): () => SaveContext {
  const now = clock.now()
  const latest = new Date(Date.parse(now) + deadlineMs).toISOString()
  const isLate = (): boolean => clock.now() > latest
  const present = snapshots.at(generation)
  const confirmed = new Set<string>()
  return () => ({
    confirmed,
    ...{
      tx,
      present,
      snapshots,
      scopePath,
      actor,
      access,
      correlationId,
      now,
      trace,
      isLate,
      depth,
      keepsErrors,
    },
    newId: () => ids.uuid(),
    touched: 0,
    saves: 0,
    latest: new Map(),
    found: new Map(),
    rolledUp: new Map(),
    ran: new Set(),
    left: [],
  })
}

/** A failed disk, a lock or a deadline fails the request, not an item. */
export const isOfRequest = (error: AlmanacError): boolean =>
  isStorageFailure(error) || error.code === 'limit.save_deadline'
