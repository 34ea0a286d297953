// Finds the operation that a name `<service>.<operation>` means in a view.
import type { ComponentView } from '../view.ts'
import type { ServiceOperation, ServiceTypes } from './service-types.ts'

export interface FoundOperation {
  service: string
  name: string
  /** Undefined if the service does not exist or its description is not imported yet. */
  types: ServiceTypes | undefined
  /** Undefined if the types have no such operation, too. */
  operation: ServiceOperation | undefined
}

/** Splits at the first dot: an operationId can contain more. Without a dot, the name is undefined. */
export function splitOperation(key: string): { service: string; name: string | undefined } {
  const dot = key.indexOf('.')
  return dot < 0
    ? { service: key, name: undefined }
    : { service: key.slice(0, dot), name: key.slice(dot + 1) }
}

export function operationOf(view: ComponentView, key: string): FoundOperation {
  const { service, name = '' } = splitOperation(key)
  const types = serviceTypesOf(view, service)
  return { service, name, types, operation: types?.operations.find((each) => each.name === name) }
}

/** Returns the types of a service of the view; undefined if its description is not imported. */
export function serviceTypesOf(view: ComponentView, service: string): ServiceTypes | undefined {
  const hash = view.get('external_service', service)?.body.spec.hash
  return hash === undefined ? undefined : view.serviceTypes(hash)
}
