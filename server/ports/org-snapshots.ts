// The generations of an org for evaluation: a view and its materialised slice.
import type { EvaluationSnapshot } from '#kernel/config/index.ts'

export interface OrgSnapshots {
  /** The active generation; a caller can keep using it when the next one is activated. */
  active(): EvaluationSnapshot
  /** @throws AlmanacError `generation.not_found` if the generation does not exist or was purged. */
  at(generation: number): EvaluationSnapshot
}
