// Checks the arguments of a call against the signature of its operation.
import { operationOf } from '../external-service/find-operation.ts'
import {
  membersIn,
  memberType,
  objectType,
  type ServiceOperation,
  type ServiceType,
  type ServiceTypes,
} from '../external-service/service-types.ts'
import { didYouMean } from '../../errors/suggest.ts'
import { payloadSteps } from '../payload-steps.ts'
import type { ComponentView } from '../view.ts'
import type { AutomationAction } from './body.ts'

type Outbound = Extract<AutomationAction, { type: 'enqueue' | 'callout' }>
/** Below the action. */
type Fault = [steps: string[], message: string]

/** An operation whose description is not imported can have any arguments. */
export function argumentFaults(action: Outbound, view: ComponentView): Fault[] {
  const { operation: key, args = {}, payload } = action
  if (key === undefined)
    return action.args === undefined
      ? []
      : [[['args'], 'Only an operation has arguments. Use pathParams, query and payload.']]
  const direct = (['pathParams', 'query'] as const)
    .filter((property) => Object.keys(action[property]).length > 0)
    .map((property): Fault => [[property], `Write the parameters of the operation in "args".`])
  const { types, operation } = operationOf(view, key)
  if (types === undefined || operation === undefined) return direct
  return [
    ...direct,
    ...parameterFaults(operation, args, key),
    ...bodyFaults(operation, { args, payload }, key),
    ...memberFaults(operation, { types, payload, key }),
  ]
}

function parameterFaults({ parameters, body }: ServiceOperation, args: object, key: string): Fault[] {
  const known = [...parameters.map((each) => each.key), ...(body === null ? [] : ['body'])]
  const unknown = Object.keys(args)
    .filter((name) => !known.includes(name))
    .map((name): Fault => [['args', name], `${key} has no parameter "${name}".${didYouMean(name, known)}`])
  const missing = parameters
    .filter((each) => each.required && !Object.hasOwn(args, each.key))
    .map((each): Fault => [[], `${key} requires the parameter "${each.key}". Add it to "args".`])
  return [...unknown, ...missing]
}

type Given = { args: object; payload: object }

function bodyFaults({ body }: ServiceOperation, { args, payload }: Given, key: string): Fault[] {
  const hasMembers = Object.keys(payload).length > 0
  if (body === null) return hasMembers ? [[['payload'], `${key} takes no body. Remove the payload.`]] : []
  if (hasMembers && Object.hasOwn(args, 'body'))
    return [[['args', 'body'], 'The call has both a payload and "body". Remove one of the two.']]
  if (!body.required || hasMembers || Object.hasOwn(args, 'body')) return []
  return [[[], `${key} requires a body. Add a payload, or "body" to "args".`]]
}

interface Body {
  types: ServiceTypes
  payload: object
  key: string
}

function memberFaults({ body }: ServiceOperation, { types, payload, key }: Body): Fault[] {
  const names = Object.keys(payload)
  if (body === null || names.length === 0) return []
  const unknown = names.flatMap((name): Fault[] => {
    const reason = explainMember(types, body.type, payloadSteps(name))
    return reason === null ? [] : [[['payload', name], reason]]
  })
  const first = new Set(names.map((name) => payloadSteps(name)[0]))
  const object = body.type.kind === 'object' ? objectType(types, body.type.name) : undefined
  const missing = membersIn(object, 'request')
    .filter((each) => each.required && !first.has(each.key))
    .map((each): Fault => [['payload'], `The body of ${key} requires "${each.key}". Add it to the payload.`])
  return [...unknown, ...missing]
}

/** Why a body has no such member; null if it has. */
function explainMember(types: ServiceTypes, body: ServiceType, steps: readonly string[]): string | null {
  let type = body
  for (const step of steps) {
    if (type.kind !== 'object' && type.kind !== 'dyn')
      return `A ${type.kind === 'list' ? 'list' : 'value'} has no member "${step}". Set the whole value.`
    const next = memberType(types, type, step, 'request')
    if (next === null && type.kind === 'object') {
      const known = membersIn(objectType(types, type.name), 'request').map(({ key }) => key)
      return `${type.name} has no member "${step}".${didYouMean(step, known)}`
    }
    type = next ?? { kind: 'dyn' }
  }
  return null
}
