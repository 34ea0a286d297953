// Evaluates an expression with declared inputs and, on request, stores value and binding
// (docs/reference/bindings-and-evidence.md).
import { parseAsOf, evaluateWithBinding, type Evaluation } from '#kernel/config/index.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import type { EvaluateOutcome } from '#wire/evaluation.ts'
import type { Actor } from '../access/index.ts'
import { parseInputs } from './inputs.ts'
import type { EvaluationDeps } from './deps.ts'
import { storedResult } from './result-view.ts'
import { putResult } from './results.ts'
import { compileFor, scopeFor, evaluationContextOf } from './evaluation-context.ts'

export interface EvaluateRequest {
  expression: string
  /** Name → { type, value }; checked here. */
  inputs?: unknown
  /** `YYYY-MM-DD`; has no default. Required if a dated set is read. */
  asOf?: string | null
  /** If omitted, the scope path of the caller. */
  scope?: ScopePath
  /** If omitted, the active generation. */
  generation?: number
  /** Label under which the result is stored; if omitted, it is not stored. */
  store?: string
}

/** @throws AlmanacError `expression.*`, `config.*`, `request.invalid`, `access.denied`, `generation.not_found`. */
export async function evaluate(
  deps: EvaluationDeps,
  by: Actor,
  request: EvaluateRequest,
): Promise<EvaluateOutcome> {
  const snapshot = request.generation === undefined ? undefined : deps.snapshots.at(request.generation)
  const context = evaluationContextOf(deps, by, snapshot)
  const question: Evaluation = {
    expression: request.expression,
    inputs: parseInputs(request.inputs),
    asOf: request.asOf == null ? null : parseAsOf(request.asOf),
    scopePath: scopeFor(deps, context, request.scope),
  }
  const compiled = compileFor(context, question)
  const evaluated = evaluateWithBinding(question, context.snapshot, deps.sha256, compiled)
  if (request.store === undefined) return evaluated
  const about = { id: deps.ids.uuid(), label: request.store, at: deps.clock.now(), actor: by.actor }
  await putResult(deps, by, 'result.stored', storedResult(about, question, evaluated), null)
  return { ...evaluated, resultId: about.id }
}
