// Runs the items of a request in one transaction. Each item is undone alone if it fails, or with all others.
import type { ScopePath } from '#kernel/components/scopes.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { StoredRecord } from '../ports/record-store.ts'
import type { RecordDeps } from './deps.ts'
import { saveItem } from './save/save-item.ts'
import type { PhaseName, SaveItem } from './save/save.ts'

export interface SaveRequest {
  /** The generation that was active when the request arrived. */
  generation: number
  actor: string
  scopePath: ScopePath
  items: readonly SaveItem[]
  /** Whether a failed item undoes all others. */
  allOrNone: boolean
  trace?: (phase: PhaseName, record: string) => void
}

export type SaveOutcome =
  /** `record` is null if it was deleted. */
  { ok: true; record: StoredRecord | null } | { ok: false; error: AlmanacError }

/**
 * Returns an outcome for each item, in their order.
 * @throws AlmanacError of the failed item, if `allOrNone`; `storage.*`
 */
export function runSaves(
  { store, snapshots, clock, ids }: RecordDeps,
  { generation, actor, scopePath, items, allOrNone, trace = () => undefined }: SaveRequest,
): Promise<SaveOutcome[]> {
  return store.write(async (tx) => {
    const now = clock.now()
    const present = snapshots.at(generation)
    const outcomes: SaveOutcome[] = []
    for (const item of items) {
      const context = {
        ...{ tx, present, snapshots, scopePath, actor, now, trace },
        newId: () => ids.uuid(),
        touched: 0,
      }
      try {
        outcomes.push({ ok: true, record: await tx.savepoint(() => saveItem(context, item)) })
      } catch (error) {
        if (allOrNone || !(error instanceof AlmanacError) || isOfStorage(error)) throw error
        outcomes.push({ ok: false, error })
      }
    }
    return outcomes
  })
}

/** A failed disk fails the request, not an item. */
const isOfStorage = ({ code }: AlmanacError): boolean => code.startsWith('storage.')
