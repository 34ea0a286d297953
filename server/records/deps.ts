// The parts that records use.
import type { RecordSnapshot } from '#kernel/records/index.ts'
import type { Clock, IdGenerator } from '../ports/clock.ts'
import type { RecordStore } from '../ports/record-store.ts'

export interface RecordSnapshots {
  active(): RecordSnapshot
  /** @throws AlmanacError `generation.not_found` */
  at(generation: number): RecordSnapshot
}

export interface RecordDeps {
  store: RecordStore
  snapshots: RecordSnapshots
  clock: Clock
  ids: IdGenerator
}
