// The operations of one external service, ready to be called. Validators are compiled when they are first needed.
import type { ServiceTypes } from '#kernel/components/external-service/service-types.ts'
import type { Method } from '../document/grammar.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import { operationStructure } from '../structure/operation-structure.ts'
import { compileChecker, type ValueChecker } from '../validate/value-checker.ts'
import type { CallableOperation } from './write-request.ts'

export interface OpenService {
  /** Null if the service has no operation with this name. */
  operation: (name: string) => CallableOperation | null
}

/** @param bundle that the types were generated from */
export function openService(bundle: JsonObject, types: ServiceTypes): OpenService {
  const checkers = new Map<JsonValue, Partial<Record<'request' | 'response', ValueChecker>>>()
  const checker: CallableOperation['checker'] = (schema, direction) => {
    if (typeof schema !== 'object') return uncheckedValues
    const compiled = checkers.get(schema) ?? {}
    checkers.set(schema, compiled)
    return (compiled[direction] ??= checkerOf(bundle, schema, direction))
  }
  const opened = new Map<string, CallableOperation>()
  return {
    operation(name) {
      const known = opened.get(name)
      if (known !== undefined) return known
      const operation = types.operations.find((each) => each.name === name)
      if (operation === undefined) return null
      const method = operation.method.toLowerCase() as Method
      const structure = operationStructure(bundle, { method, path: operation.path })
      const callable = { operation, structure, types, checker }
      opened.set(name, callable)
      return callable
    },
  }
}

const uncheckedValues: ValueChecker = { check: () => null, unchecked: [] }

/** A schema that is too large to check is not: its values are still converted to their types. */
function checkerOf(bundle: JsonObject, schema: JsonValue, direction: 'request' | 'response'): ValueChecker {
  try {
    return compileChecker(bundle, schema, direction)
  } catch (error) {
    if (error instanceof RangeError) return uncheckedValues
    throw error
  }
}
