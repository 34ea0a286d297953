// The generations of an org as evaluation needs them: a view and its materialised slice (specification 2.7.10).
import type { EvaluationWorld } from '#kernel/config/index.ts'

export interface OrgWorlds {
  /** The active generation; whoever holds it keeps it, also when the next one activates. */
  active(): EvaluationWorld
  /** @throws AlmanacError `generation.not_found` where there is no such generation, or it was purged. */
  at(generation: number): EvaluationWorld
}
