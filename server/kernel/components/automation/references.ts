// Outgoing edges of an automation.
import type { ComponentOf } from '../body-types.ts'
import type { Reference } from '../define.ts'
import { edge } from '../edges.ts'
import { isCredentialKey } from '../expression-role.ts'
import { splitOperation } from '../external-service/find-operation.ts'
import type { AutomationAction } from './body.ts'

export function automationReferences({ body }: ComponentOf<'automation'>): Reference[] {
  return [
    ...edge('object', body.object, ['object']),
    ...(body.grantedTo ?? []).flatMap((set, at) => edge('permission_set', set, ['grantedTo', at])),
    ...body.actions.flatMap((action, at) => actionEdges(action, ['actions', at], body.object)),
  ]
}

function actionEdges(
  action: AutomationAction,
  steps: (string | number)[],
  object: string | undefined,
): Reference[] {
  switch (action.type) {
    case 'assign':
      return fieldEdges(object, action.values, steps)
    case 'raise':
      return action.field === undefined ? [] : edge('object', object, [...steps, 'field'], action.field)
    case 'create':
    case 'update':
      return [
        ...edge('object', action.object, [...steps, 'object']),
        ...fieldEdges(action.object, action.values, steps),
      ]
    case 'publish':
      return edge('event_channel', action.channel, [...steps, 'channel'])
    case 'enqueue':
    case 'callout':
      return [
        ...edge('named_credential', credentialKey(action.credential), [...steps, 'credential']),
        ...operationEdge(action.operation, steps),
      ]
  }
}

const credentialKey = (credential: string | undefined): string | undefined =>
  credential !== undefined && isCredentialKey(credential) ? credential : undefined

/** `<service>.<operation>`: the operation is a member of the service. */
function operationEdge(operation: string | undefined, steps: (string | number)[]): Reference[] {
  if (operation === undefined) return []
  const { service, name } = splitOperation(operation)
  return edge('external_service', service, [...steps, 'operation'], name)
}

function fieldEdges(object: string | undefined, values: object, steps: (string | number)[]): Reference[] {
  return Object.keys(values).flatMap((field) => edge('object', object, [...steps, 'values', field], field))
}
