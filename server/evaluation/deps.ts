// The parts that evaluation uses.
import type { Sha256 } from '#kernel/change/index.ts'
import type { Clock, IdGenerator } from '../ports/clock.ts'
import type { OrgStore } from '../ports/org-store.ts'
import type { OrgWrite } from '../ports/org-write.ts'
import type { OrgSnapshots } from '../ports/org-snapshots.ts'
import type { ResultView } from './result-view.ts'

export type EvidenceBuilder = (result: ResultView) => Promise<string>

/** The parts that reading alone uses. */
export type EvaluationReadDeps = Pick<EvaluationDeps, 'store' | 'snapshots' | 'sha256'>

export interface EvaluationDeps {
  store: Pick<OrgStore, 'read'>
  write: OrgWrite
  snapshots: OrgSnapshots
  clock: Clock
  ids: IdGenerator
  /** Makes the evidence of a result: here, or in a worker next to the readers. */
  buildEvidence: EvidenceBuilder
  /** The platform's implementation, for large sets; if omitted, the kernel's. */
  sha256?: Sha256
}
