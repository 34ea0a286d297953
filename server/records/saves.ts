// Runs the items of a request in one transaction. Each item is undone alone if it fails, or with all others.
import type { ScopePath } from '#kernel/components/scopes.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { RecordAccess } from '../access/index.ts'
import type { StoredRecord } from '../ports/record-store.ts'
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
  items: readonly SaveItem[]
  /** Whether a failed item undoes all others. */
  allOrNone: boolean
  trace?: (step: TraceStep) => void
}

export type SaveOutcome =
  /** `record` is null if it was deleted. */
  { ok: true; record: StoredRecord | null } | { ok: false; error: AlmanacError }

/**
 * Returns an outcome for each item, in their order.
 * @throws AlmanacError of the failed item, if `allOrNone`; `limit.save_deadline`, `storage.*`: nothing was saved
 */
export function runSaves(
  { store, snapshots, clock, ids }: RecordDeps,
  {
    generation,
    actor,
    access,
    correlationId,
    scopePath,
    items,
    allOrNone,
    trace = () => undefined,
  }: SaveRequest,
): Promise<SaveOutcome[]> {
  return store.write(async (tx) => {
    const now = clock.now()
    const latest = Date.parse(now) + deadlineMs
    const isLate = (): boolean => Date.parse(clock.now()) > latest
    const present = snapshots.at(generation)
    const outcomes: SaveOutcome[] = []
    for (const item of items) {
      const context: SaveContext = {
        ...{ tx, present, snapshots, scopePath, actor, access, correlationId, now, trace, isLate },
        newId: () => ids.uuid(),
        touched: 0,
        saves: 0,
        found: new Map(),
        ran: new Set(),
      }
      try {
        outcomes.push({ ok: true, record: await tx.savepoint(() => saveItem(context, item)) })
      } catch (error) {
        if (allOrNone || !(error instanceof AlmanacError) || isOfRequest(error)) throw error
        outcomes.push({ ok: false, error })
      }
    }
    return outcomes
  })
}

/** A failed disk or a deadline fails the request, not an item. */
const isOfRequest = ({ code }: AlmanacError): boolean =>
  code.startsWith('storage.') || code === 'limit.save_deadline'
