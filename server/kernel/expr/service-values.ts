// Types of what calls return: objects and lists as the descriptions of external services declare them.
import type { EarlierCall, ExprType } from '../components/expression-slot.ts'
import { operationOf, serviceTypesOf } from '../components/external-service/find-operation.ts'
import {
  membersIn,
  memberType,
  objectType,
  type ServiceType,
} from '../components/external-service/service-types.ts'
import type { ComponentView } from '../components/view.ts'
import {
  absentType,
  booleanType,
  dateType,
  datetimeType,
  decimalType,
  dynType,
  textType,
  unknownType,
} from './type-names.ts'

/** Returns the type that an expression has for a value of a service. A nullable value is one that can be absent. */
export function exprTypeOf(service: string, type: ServiceType): ExprType {
  switch (type.kind) {
    case 'text':
      return textType
    case 'decimal':
      return decimalType
    case 'boolean':
      return booleanType
    case 'date':
      return dateType
    case 'datetime':
      return datetimeType
    case 'absent':
      return absentType
    case 'dyn':
      return unknownType
    case 'list':
      return { kind: 'list', of: exprTypeOf(service, type.of) }
    case 'object':
      return { kind: 'object', service, name: type.name }
  }
}

/** Returns the type of the result of a call. A description that is not imported yet can have any operation. */
export function typeOfCall(view: ComponentView, { operation }: EarlierCall): ExprType {
  if (operation === undefined) return { kind: 'call_result', body: unknownType }
  const found = operationOf(view, operation)
  return {
    kind: 'call_result',
    body: found.operation === undefined ? dynType : exprTypeOf(found.service, found.operation.result),
  }
}

/** Returns the type of a member; null if the type declares no such member. */
export function typeOfMember(view: ComponentView, type: ExprType, name: string): ExprType | null {
  if (type.kind === 'unknown' || type.kind === 'dyn') return type
  if (type.kind === 'call_result') return name === 'status' ? decimalType : name === 'body' ? type.body : null
  if (type.kind !== 'object') return null
  const types = serviceTypesOf(view, type.service)
  if (types === undefined) return dynType
  const member = memberType(types, { kind: 'object', name: type.name }, name)
  return member === null ? null : exprTypeOf(type.service, member)
}

export interface DeclaredMember {
  key: string
  type: ExprType
  description?: string
}

/** Returns the members that a result of the type can have. */
export function membersOfType(view: ComponentView, type: ExprType): DeclaredMember[] {
  if (type.kind === 'call_result')
    return [
      { key: 'status', type: decimalType, description: 'The status of the response, such as 200.' },
      { key: 'body', type: type.body, description: 'The body of the response.' },
    ]
  if (type.kind !== 'object') return []
  const types = serviceTypesOf(view, type.service)
  const object = types === undefined ? undefined : objectType(types, type.name)
  return membersIn(object, 'response').map(({ key, type: member, description }) => ({
    ...{ key, description },
    type: exprTypeOf(type.service, member),
  }))
}

/** Returns the declared type of an argument; null if the operation is not known, or has no such argument. */
export function typeOfArgument(
  view: ComponentView,
  operationKey: string,
  [name, ...steps]: readonly string[],
): { service: string; type: ServiceType } | null {
  const { service, types, operation } = operationOf(view, operationKey)
  if (types === undefined || operation === undefined) return null
  const parameter = operation.parameters.find(({ key }) => key === name)
  if (parameter !== undefined) return steps.length === 0 ? { service, type: parameter.type } : null
  let type: ServiceType | null = name === 'body' ? (operation.body?.type ?? null) : null
  for (const step of steps) type = type === null ? null : memberType(types, type, step, 'request')
  return type === null ? null : { service, type }
}
