// Evaluates an expression of an invocable automation over the parameters of a call.
import { configurationInput } from '../config/index.ts'
import type { CivilDate } from '../dates/civil-date.ts'
import type { ExprValue } from '../expr/index.ts'
import type { RecordContext } from './evaluate-record.ts'
import { noResults, type CalloutResults } from './callout-outcome.ts'
import type { FieldProgram } from './object-programs.ts'

export interface CallInput {
  params: ReadonlyMap<string, ExprValue>
  /** Null if the operation reads no dated set. */
  asOf: CivilDate | null
  /** What the callouts of the operation have returned. */
  results?: CalloutResults
}

/** @throws AlmanacError `expression.evaluation`, `expression.too_costly`, `config.*` */
export function evaluateForCall(
  { snapshot, scopePath }: RecordContext,
  { program }: FieldProgram,
  { params, asOf, results = noResults }: CallInput,
): ExprValue {
  return program.evaluate({
    field: ([name]) => params.get(name!) ?? results.get(name!) ?? null,
    ...configurationInput({ asOf, scopePath }, snapshot.slice),
  })
}
