// What evaluation stands on.
import type { Sha256 } from '#kernel/change/index.ts'
import type { Clock, Ids } from '../ports/clock.ts'
import type { OrgStore } from '../ports/org-store.ts'
import type { OrgWrite } from '../ports/org-write.ts'
import type { OrgWorlds } from '../ports/org-worlds.ts'
import type { ResultView } from './result-view.ts'

export type EvidenceMaker = (result: ResultView) => Promise<string>

/** What reading alone stands on. */
export type EvaluationReads = Pick<EvaluationParts, 'store' | 'worlds' | 'sha256'>

export interface EvaluationParts {
  store: Pick<OrgStore, 'read'>
  write: OrgWrite
  worlds: OrgWorlds
  clock: Clock
  ids: Ids
  /** Makes the evidence of a result: here, or in a worker beside the readers. */
  evidence: EvidenceMaker
  /** The platform's own, for large sets; the kernel's where left out. */
  sha256?: Sha256
}
