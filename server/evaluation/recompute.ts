// Recompute: asks the same question of the present, and explains why the value differs (specification 2.6; completions
// 3).
import { evaluateBound, type Evaluated } from '#kernel/config/index.ts'
import { recordingWorld } from '#kernel/evidence/index.ts'
import type { By } from '../access/index.ts'
import { recordedOf, type GivenResult } from './given-result.ts'
import type { EvaluationParts } from './parts.ts'
import { presentQuestion } from './present-question.ts'
import { reasonsOf } from './recompute-reasons.ts'
import { storedResult } from './result-view.ts'
import { demandChange, putResult } from './results.ts'
import { compiledFor, setsOf, sightOf } from './sight.ts'

export interface RecomputeAnswer extends Evaluated {
  /** The original value, canonical JSON text. */
  before: string
  /** Whether the bytes of the value differ. */
  changed: boolean
  /** One sentence for each thing that differs, whether or not the value changed with it. */
  reasons: string[]
  resultId?: string
}

export type RecomputeRequest = GivenResult & {
  /** Store the new value and binding: in the stored result itself, or as a new result if the caller provided it. */
  store?: boolean
}

/** @throws AlmanacError as `evaluate`. */
export async function recompute(
  parts: EvaluationParts,
  by: By,
  request: RecomputeRequest,
): Promise<RecomputeAnswer> {
  const recorded = recordedOf(parts, by, request)
  const { value, binding, stored } = recorded
  const { question, renamed } = presentQuestion(parts, recorded)
  if (stored !== null && request.store === true) demandChange(parts, by, stored)
  const sight = sightOf(parts, by)
  const compiled = compiledFor(sight, question)
  const { world, keys } = recordingWorld(sight.world, setsOf(compiled.reads))
  const evaluated = evaluateBound(question, world, parts.sha256, compiled)
  const answer: RecomputeAnswer = {
    ...evaluated,
    before: value,
    changed: evaluated.value !== value,
    reasons: reasonsOf(parts, { before: binding, after: evaluated.binding, renamed, keys }),
  }
  if (request.store !== true) return answer
  const about =
    stored === null
      ? { id: parts.ids.uuid(), label: 'Recomputed', at: parts.clock.now(), actor: by.actor }
      : { id: stored.id, label: stored.label, at: parts.clock.now(), actor: stored.actor }
  const kind = stored === null ? 'result.stored' : 'result.rebound'
  await putResult(parts, by, kind, storedResult(about, question, evaluated), stored)
  return { ...answer, resultId: about.id }
}

/** Recomputes and stores: the old binding releases its generation (completions 3: archive policy). */
export function rebind(parts: EvaluationParts, by: By, resultId: string): Promise<RecomputeAnswer> {
  return recompute(parts, by, { resultId, store: true })
}
