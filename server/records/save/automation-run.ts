// What an automation runs over: the record of a save, or the parameters of a call.
import type { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ExprValue } from '#kernel/expr/index.ts'
import {
  calloutResults,
  evaluateForRecord,
  type AutomationProgram,
  type CalloutOutcomes,
  type FieldProblem,
  type FieldProgram,
} from '#kernel/records/index.ts'
import type { StoredRecord } from '../../ports/record-store.ts'
import { refusedRecord } from './authorise.ts'
import { nameFailures, ownPathIsReadable } from './name-failures.ts'
import type { Save, SaveContext, SaveItem } from './save.ts'
import { viewPrior, viewSave } from './shape.ts'

export interface AutomationRun {
  readonly context: SaveContext
  readonly automation: AutomationProgram
  /** What leads to the saves of its actions, the first one first. */
  readonly chain: readonly string[]
  /** `<object>/<id>` of the record, and its version; an empty name and 0 for a call. */
  readonly record: { name: string; version: number }
  /** @throws AlmanacError `expression.*`, `config.*` */
  valueOf(program: FieldProgram): ExprValue
  /** The key of the field or parameter that a rejection names. */
  fieldNamed(name: string): string
  /** The error that ends the run, without what the user cannot see. */
  refusal(problem: FieldProblem): AlmanacError
}

export type SaveCause = Pick<AutomationRun, 'context' | 'chain'>

/** Saves a record that an action of a run creates or updates. */
export type SaveNext = (cause: SaveCause, item: SaveItem) => Promise<StoredRecord | null>

/** @param outcomes of the callouts that it has made */
export function runOver(
  save: Save,
  automation: AutomationProgram,
  outcomes: CalloutOutcomes = {},
): AutomationRun {
  const { context, object, id, chain, after } = save
  const { present, scopePath } = context
  const results = calloutResults(present.view, automation.actions, outcomes)
  const name = `${object}/${id}`
  return {
    ...{ context, automation, chain: [...chain, name], record: { name, version: after?.version ?? 0 } },
    valueOf: (program) =>
      evaluateForRecord({ snapshot: present, scopePath }, program, viewSave(save), {
        id,
        prior: viewPrior(save),
        given: ([name]) => results.get(name!),
      }),
    fieldNamed: (field) => save.programs.field(field)?.key ?? field,
    refusal: (problem) => {
      const shown = nameFailures(context, [problem], (path) => ownPathIsReadable(save, path))
      return refusedRecord(save, shown)
    },
  }
}
