// Erasures as writes, next to saves and in the same thread.
import type { EraseDeps } from './erase-deps.ts'
import { eraseRecord, type EraseCommand, type ErasureCounts } from './erase-record.ts'

/** @throws AlmanacError `record.not_found`; `org.busy`: the values are erased, but traces are left */
export async function erase(deps: EraseDeps, command: EraseCommand): Promise<ErasureCounts> {
  const counts = await deps.store.write((tx) => eraseRecord(deps, tx, command))
  if (counts.records > 0) await deps.store.removeTraces()
  return counts
}
