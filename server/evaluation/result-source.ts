// The starting point of a replay or a recompute: a stored result, or one that the caller provides
// (docs/reference/bindings-and-evidence.md).
import { parseBinding, type Binding, type Evaluation } from '#kernel/config/index.ts'
import type { Actor } from '../access/index.ts'
import { parseInputs } from './inputs.ts'
import type { EvaluationDeps } from './deps.ts'
import { questionOf, type ResultView } from './result-view.ts'
import { resultFor } from './results.ts'

export type ResultSource =
  | { resultId: string }
  /** `value` is canonical JSON text; `binding` is checked here. */
  | { expression: string; inputs?: unknown; value: string; binding: unknown }

export interface RecordedResult {
  question: Evaluation
  value: string
  binding: Binding
  /** Null if the caller provided it. */
  storedResult: ResultView | null
}

/** @throws AlmanacError `binding.not_found`, `binding.invalid`, `request.invalid`. */
export function loadRecordedResult(deps: EvaluationDeps, by: Actor, source: ResultSource): RecordedResult {
  if ('resultId' in source) {
    const stored = resultFor(deps, by, source.resultId)
    return {
      question: questionOf(stored),
      value: stored.value,
      binding: stored.binding,
      storedResult: stored,
    }
  }
  const binding = parseBinding(source.binding)
  const { asOf, scopePath } = binding
  const question = { expression: source.expression, inputs: parseInputs(source.inputs), asOf, scopePath }
  return { question, value: source.value, binding, storedResult: null }
}
