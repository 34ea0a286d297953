// A stored result as users and clients see it, and as the storage keeps it (docs/reference/bindings-and-evidence.md).
import type { JsonValue } from '#kernel/change/canonical.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import { parseBinding, type EvaluationResult, type Evaluation } from '#kernel/config/index.ts'
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import type { ResultView } from '#wire/index.ts'
import type { StoredResult } from '../ports/results.ts'
import { parseInputs, serializeInputs, type Inputs } from './inputs.ts'

export type { ResultView } from '#wire/index.ts'

interface StoredQuestion {
  inputs: Inputs
  asOf: string | null
  scope: ScopePath
}

export function resultView(row: StoredResult): ResultView {
  const { inputs, asOf, scope } = row.inputs as unknown as StoredQuestion
  const day = asOf === null ? null : parseCivilDate(asOf)
  return { ...row, inputs, asOf: day, scope, binding: parseBinding(row.binding) }
}

/** The request behind a result, to evaluate it again. */
export function questionOf({ expression, inputs, asOf, scope }: ResultView): Evaluation {
  return { expression, inputs: parseInputs(inputs), asOf, scopePath: scope }
}

export function storedResult(
  about: Pick<StoredResult, 'id' | 'label' | 'at' | 'actor'>,
  question: Evaluation,
  { value, binding }: EvaluationResult,
): StoredResult {
  const storedQuestion: StoredQuestion = {
    inputs: serializeInputs(question.inputs),
    asOf: question.asOf,
    scope: question.scopePath,
  }
  return {
    ...about,
    expression: question.expression,
    inputs: storedQuestion as unknown as JsonValue,
    value,
    binding: binding as unknown as JsonValue,
    state: 'bound',
  }
}
