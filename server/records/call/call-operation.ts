// Runs an operation: the actions of an invocable automation over the parameters of a call, with the rights of the caller.
import type { OperationResult } from '#wire/records.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { valueToJson } from '#kernel/expr/index.ts'
import { evaluateForCall, type CallInput, type OperationProgram } from '#kernel/records/index.ts'
import type { AutomationRun } from '../save/automation-run.ts'
import { refuseCallouts } from '../save/refuse-callouts.ts'
import { nameFailures } from '../save/name-failures.ts'
import { evaluate, isTriggered } from '../save/run-automation.ts'
import { runForCall } from '../save/save-item.ts'
import type { SaveContext } from '../save/save.ts'

export type CallResult = Pick<OperationResult, 'ran' | 'returns'>

/**
 * Runs within a transaction, which the caller undoes if it throws.
 * @throws AlmanacError `record.invalid`, `integration.unavailable`, `limit.save_*`, and those of the saves that follow
 */
export async function callOperation(
  context: SaveContext,
  operation: OperationProgram,
  input: CallInput,
): Promise<CallResult> {
  refuseCallouts(operation)
  const run = runOverCall(context, operation, input)
  const ran = isTriggered(run)
  if (ran) await runForCall(run)
  const returns = operation.returns.map(({ name, program }) => [name, valueToJson(evaluate(run, program))])
  return { ran, returns: Object.fromEntries(returns) as CallResult['returns'] }
}

function runOverCall(context: SaveContext, operation: OperationProgram, input: CallInput): AutomationRun {
  const { present, scopePath } = context
  return {
    ...{ context, automation: operation, chain: [operation.key], record: { name: '', version: 0 } },
    valueOf: (program) => evaluateForCall({ snapshot: present, scopePath }, program, input),
    fieldNamed: (name) => name,
    refusal: (problem) => {
      // Its expressions read only what the caller sent.
      const [shown] = nameFailures(context, [problem], () => true)
      const message = `The operation ${operation.key} refused the call. ${shown!.message}`
      return new AlmanacError('record.invalid', message, { details: [shown] })
    },
  }
}
