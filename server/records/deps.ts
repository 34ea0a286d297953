// The parts that records use.
import type { RecordSnapshot } from '#kernel/records/index.ts'
import type { Clock, IdGenerator } from '../ports/clock.ts'
import type { RecordStore } from '../ports/record-store.ts'

export interface RecordSnapshots {
  active(): RecordSnapshot
  /** @throws AlmanacError `generation.not_found` */
  at(generation: number): RecordSnapshot
  /**
   * Asks the store, because a snapshot that was read before a purge lacks what it has not read yet. Omitted where nothing is
   * purged.
   * @throws AlmanacError `generation.not_found`
   */
  requireKept?(generation: number): void
}

export interface RecordDeps {
  store: RecordStore
  snapshots: RecordSnapshots
  clock: Clock
  ids: IdGenerator
}
