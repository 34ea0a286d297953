// The operations that a caller can call: invocable automations that are granted to one of the caller's permission sets.
import { paramTypeOf, type ParamType } from '#kernel/components/expression-slot.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import { operationProgram, type OperationProgram } from '#kernel/records/index.ts'
import type { RecordCaller } from '../read/record-caller.ts'

type Caller = Pick<RecordCaller, 'present' | 'access'>

/** An operation as its callers see it. */
export interface OperationDescription {
  key: string
  label: string
  params: readonly { key: string; type: ParamType }[]
  returns: readonly { key: string; type: ParamType }[]
  /** Whether a call passes the as-of date. */
  isDated: boolean
}

/** In the order of their keys. */
export function listOperations(caller: Caller): OperationDescription[] {
  return callableKeys(caller).map((name) => {
    const { key, label, params, returns, isDated } = operationProgram(caller.present.view, name)!
    return {
      ...{ key, label, params, isDated },
      returns: returns.map(({ name: of, program }) => ({
        key: of,
        type: paramTypeOf(program.program.type.kind),
      })),
    }
  })
}

/** An operation that the caller cannot call does not exist. @throws AlmanacError `operation.not_found` */
export function callableOperation(caller: Caller, key: string): OperationProgram {
  const operation = caller.access.mayCall(key) ? operationProgram(caller.present.view, key) : null
  if (operation !== null) return operation
  throw new AlmanacError(
    'operation.not_found',
    `The operation "${key}" does not exist.${didYouMean(key, callableKeys(caller))}`,
  )
}

function callableKeys({ present, access }: Caller): string[] {
  return [...present.view.list('automation')].flatMap(({ key, body }) =>
    body.phase === 'invocable' && access.mayCall(key) ? [key] : [],
  )
}
