// The starting point of a replay or a recompute: a stored result, or one that the caller provides (completions 3).
import { parseBinding, type Binding, type Evaluation } from '#kernel/config/index.ts'
import type { By } from '../access/index.ts'
import { inputsFrom } from './inputs.ts'
import type { EvaluationParts } from './parts.ts'
import { questionOf, type ResultView } from './result-view.ts'
import { resultFor } from './results.ts'

export type GivenResult =
  | { resultId: string }
  /** `value` is canonical JSON text; `binding` is checked here. */
  | { expression: string; inputs?: unknown; value: string; binding: unknown }

export interface Recorded {
  question: Evaluation
  value: string
  binding: Binding
  /** Null if the caller provided it. */
  stored: ResultView | null
}

/** @throws AlmanacError `binding.not_found`, `binding.invalid`, `request.invalid`. */
export function recordedOf(parts: EvaluationParts, by: By, given: GivenResult): Recorded {
  if ('resultId' in given) {
    const stored = resultFor(parts, by, given.resultId)
    return { question: questionOf(stored), value: stored.value, binding: stored.binding, stored }
  }
  const binding = parseBinding(given.binding)
  const { asOf, scopePath } = binding
  const question = { expression: given.expression, inputs: inputsFrom(given.inputs), asOf, scopePath }
  return { question, value: given.value, binding, stored: null }
}
