// Recompute: evaluates the same request with the current configuration, and explains why the value differs
// (docs/reference/bindings-and-evidence.md).
import { evaluateWithBinding } from '#kernel/config/index.ts'
import { recordingSnapshot } from '#kernel/evidence/index.ts'
import type { RecomputeOutcome } from '#wire/evaluation.ts'
import type { Actor } from '../access/index.ts'
import { loadRecordedResult, type ResultSource } from './result-source.ts'
import type { EvaluationDeps } from './deps.ts'
import { presentQuestion } from './present-question.ts'
import { reasonsOf } from './recompute-reasons.ts'
import { storedResult } from './result-view.ts'
import { requireResultChange, putResult } from './results.ts'
import { compileFor, setsOf, evaluationContextOf } from './evaluation-context.ts'

export type RecomputeRequest = ResultSource & {
  /** Store the new value and binding: in the stored result itself, or as a new result if the caller provided it. */
  store?: boolean
}

/** @throws AlmanacError as `evaluate`. */
export async function recompute(
  deps: EvaluationDeps,
  by: Actor,
  request: RecomputeRequest,
): Promise<RecomputeOutcome> {
  const recorded = loadRecordedResult(deps, by, request)
  const { value, binding, storedResult: stored } = recorded
  const { question, renames } = presentQuestion(deps, recorded)
  if (stored !== null && request.store === true) requireResultChange(deps, by, stored)
  const context = evaluationContextOf(deps, by)
  const compiled = compileFor(context, question)
  const { snapshot, keys } = recordingSnapshot(context.snapshot, setsOf(compiled.reads))
  const evaluated = evaluateWithBinding(question, snapshot, deps.sha256, compiled)
  const answer: RecomputeOutcome = {
    ...evaluated,
    before: value,
    changed: evaluated.value !== value,
    reasons: reasonsOf(deps, { before: binding, after: evaluated.binding, renames, keys }),
  }
  if (request.store !== true) return answer
  const about =
    stored === null
      ? { id: deps.ids.uuid(), label: 'Recomputed', at: deps.clock.now(), actor: by.actor }
      : { id: stored.id, label: stored.label, at: deps.clock.now(), actor: stored.actor }
  const kind = stored === null ? 'result.stored' : 'result.rebound'
  await putResult(deps, by, kind, storedResult(about, question, evaluated), stored)
  return { ...answer, resultId: about.id }
}

/** Recomputes and stores: the old binding releases its generation (docs/reference/bindings-and-evidence.md). */
export function rebind(deps: EvaluationDeps, by: Actor, resultId: string): Promise<RecomputeOutcome> {
  return recompute(deps, by, { resultId, store: true })
}
