// Finds the operation that a name `<service>.<operation>` means in a view.
import type { ComponentView } from '../view.ts'
import type { ServiceOperation, ServiceTypes } from './service-types.ts'

export interface FoundOperation {
  service: string
  /** What follows the first dot; an operationId can contain more. */
  name: string
  /** Undefined if the service does not exist or its description is not imported yet. */
  types: ServiceTypes | undefined
  /** Undefined if the types have no such operation, too. */
  operation: ServiceOperation | undefined
}

export function operationOf(view: ComponentView, key: string): FoundOperation {
  const dot = key.indexOf('.')
  const [service, name] = [key.slice(0, dot), key.slice(dot + 1)]
  const types = dot < 0 ? undefined : serviceTypesOf(view, service)
  return { service, name, types, operation: types?.operations.find((each) => each.name === name) }
}

/** Returns the types of a service of the view; undefined if its description is not imported. */
export function serviceTypesOf(view: ComponentView, service: string): ServiceTypes | undefined {
  const hash = view.get('external_service', service)?.body.spec.hash
  return hash === undefined ? undefined : view.serviceTypes(hash)
}
