// The parts that evaluation uses.
import type { Sha256 } from '#kernel/change/index.ts'
import type { Clock, Ids } from '../ports/clock.ts'
import type { OrgStore } from '../ports/org-store.ts'
import type { OrgWrite } from '../ports/org-write.ts'
import type { OrgWorlds } from '../ports/org-worlds.ts'
import type { ResultView } from './result-view.ts'

export type EvidenceMaker = (result: ResultView) => Promise<string>

/** The parts that reading alone uses. */
export type EvaluationReads = Pick<EvaluationParts, 'store' | 'worlds' | 'sha256'>

export interface EvaluationParts {
  store: Pick<OrgStore, 'read'>
  write: OrgWrite
  worlds: OrgWorlds
  clock: Clock
  ids: Ids
  /** Makes the evidence of a result: here, or in a worker next to the readers. */
  evidence: EvidenceMaker
  /** The platform's implementation, for large sets; if omitted, the kernel's. */
  sha256?: Sha256
}
