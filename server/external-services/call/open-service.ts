// The operations of one external service, ready to be called.
import type { ServiceTypes } from '#kernel/components/external-service/service-types.ts'
import type { Method } from '../document/grammar.ts'
import type { JsonObject } from '../json.ts'
import { operationStructure } from '../structure/operation-structure.ts'
import { ValueChecker } from '../validate/value-checker.ts'
import type { CallableOperation } from './write-request.ts'

export interface OpenService {
  /** Null if the service has no operation with this name. */
  operation: (name: string) => CallableOperation | null
}

/** @param bundle that the types were generated from; its schemas are read when they are first needed */
export function openService(bundle: JsonObject, types: ServiceTypes): OpenService {
  const checkers = {
    request: new ValueChecker(bundle, 'request'),
    response: new ValueChecker(bundle, 'response'),
  }
  const operations = new Map(types.operations.map((operation) => [operation.name, operation]))
  const opened = new Map<string, CallableOperation>()
  return {
    operation(name) {
      const known = opened.get(name)
      if (known !== undefined) return known
      const operation = operations.get(name)
      if (operation === undefined) return null
      const method = operation.method.toLowerCase() as Method
      const structure = operationStructure(bundle, { method, path: operation.path })
      const callable = { operation, structure, types, checkers }
      opened.set(name, callable)
      return callable
    },
  }
}
