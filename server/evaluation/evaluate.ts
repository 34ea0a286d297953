// Evaluates an expression with declared inputs and, when asked, stores value and binding (completions 3).
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
  /** `YYYY-MM-DD`; has no default. Needed where a dated set is read. */
  asOf?: string | null
  /** Of the person who asks, where left out. */
  scope?: ScopePath
  /** The active one, where left out. */
  generation?: number
  /** Label under which the result is stored; not stored where left out. */
  store?: string
}

export interface EvaluateAnswer extends Evaluated {
  /** Where it was stored. */
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
