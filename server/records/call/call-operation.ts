// What an operation runs over: the parameters of a call, with the rights of the caller.
import type { OperationResult } from '#wire/records.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { valueToJson } from '#kernel/expr/index.ts'
import {
  calloutResults,
  evaluateForCall,
  type CallInput,
  type CalloutOutcomes,
  type OperationProgram,
} from '#kernel/records/index.ts'
import type { AutomationRun } from '../save/automation-run.ts'
import { nameFailures } from '../save/name-failures.ts'
import { evaluate } from '../save/run-automation.ts'
import type { SaveContext } from '../save/save.ts'

/** @param outcomes of the callouts that it has made */
export function runOverCall(
  context: SaveContext,
  operation: OperationProgram,
  input: CallInput,
  outcomes: CalloutOutcomes,
): AutomationRun {
  const { present, scopePath } = context
  const results = calloutResults(present.view, operation.actions, outcomes)
  return {
    ...{ context, automation: operation, chain: [operation.key], record: { name: '', version: 0 } },
    valueOf: (program) => evaluateForCall({ snapshot: present, scopePath }, program, { ...input, results }),
    fieldNamed: (name) => name,
    refusal: (problem) => {
      // Its expressions read only what the caller sent, and what its callouts returned.
      const [shown] = nameFailures(context, [problem], () => true)
      const message = `The operation ${operation.key} refused the call. ${shown!.message}`
      return new AlmanacError('record.invalid', message, { details: [shown] })
    },
  }
}

/** @throws AlmanacError `record.invalid` if an expression cannot be evaluated */
export function returnedValues(
  run: AutomationRun,
  { returns }: OperationProgram,
): OperationResult['returns'] {
  const values = returns.map(({ name, program }) => [name, valueToJson(evaluate(run, program))])
  return Object.fromEntries(values) as OperationResult['returns']
}
