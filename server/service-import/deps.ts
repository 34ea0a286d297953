// What imports of descriptions need; server/compose/ connects it.
import type { Sha256 } from '#kernel/change/index.ts'
import type { Callouts, OutsideTransaction } from '../callouts/index.ts'
import type { Clock } from '../ports/clock.ts'
import type { OrgTransactor } from '../ports/org-store.ts'
import type { Outbound } from '../ports/outbound.ts'
import type { ImportReply, ImportTask } from './import-task.ts'

/** Reads a description outside of the readers' thread, within limits of time and memory. */
export type DescriptionImporter = (task: ImportTask) => Promise<ImportReply>

export interface ServiceImportDeps {
  write<T>(work: (transactor: OrgTransactor) => T): Promise<T>
  clock: Clock
  sha256: Sha256
  importer: DescriptionImporter
  outbound: Outbound
  /** Opened when a description is fetched with a credential. */
  callouts(): Pick<Callouts, 'execute'>
  capability(): OutsideTransaction
}
