// Evaluates an expression with declared inputs and, on request, stores value and binding (completions 3).
import { asOfFrom, evaluateBound, type Evaluated, type Evaluation } from '#kernel/config/index.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import type { By } from '../access/index.ts'
import { inputsFrom } from './inputs.ts'
import type { EvaluationParts } from './parts.ts'
import { storedResult } from './result-view.ts'
import { putResult } from './results.ts'
import { compiledFor, scopeFor, sightOf } from './sight.ts'

export interface EvaluateRequest {
  expression: string
  /** Name → { type, value }; checked here. */
  inputs?: unknown
  /** `YYYY-MM-DD`; has no default. Required if a dated set is read. */
  asOf?: string | null
  /** If omitted, that of the caller. */
  scope?: ScopePath
  /** If omitted, the active one. */
  generation?: number
  /** Label under which the result is stored; if omitted, it is not stored. */
  store?: string
}

export interface EvaluateAnswer extends Evaluated {
  /** Set if it was stored. */
  resultId?: string
}

/** @throws AlmanacError `expression.*`, `config.*`, `request.invalid`, `access.denied`, `generation.not_found`. */
export async function evaluate(
  parts: EvaluationParts,
  by: By,
  request: EvaluateRequest,
): Promise<EvaluateAnswer> {
  const world = request.generation === undefined ? undefined : parts.worlds.at(request.generation)
  const sight = sightOf(parts, by, world)
  const question: Evaluation = {
    expression: request.expression,
    inputs: inputsFrom(request.inputs),
    asOf: request.asOf == null ? null : asOfFrom(request.asOf),
    scopePath: scopeFor(parts, sight, request.scope),
  }
  const compiled = compiledFor(sight, question)
  const evaluated = evaluateBound(question, sight.world, parts.sha256, compiled)
  if (request.store === undefined) return evaluated
  const about = { id: parts.ids.uuid(), label: request.store, at: parts.clock.now(), actor: by.actor }
  await putResult(parts, by, 'result.stored', storedResult(about, question, evaluated), null)
  return { ...evaluated, resultId: about.id }
}
