// Outgoing edges and expressions of an automation.
import type { ComponentOf } from '../body-types.ts'
import type { Reference } from '../define.ts'
import { edge } from '../edges.ts'
import type { ExpressionSite, ExpressionSlot, ParamType } from '../expression-slot.ts'
import { pointer } from '../pointer.ts'
import type { AutomationAction } from './body.ts'

export function automationReferences({ body }: ComponentOf<'automation'>): Reference[] {
  return [
    ...edge('object', body.object, ['object']),
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
        ...edge('named_credential', action.credential, [...steps, 'credential']),
        ...edge('external_service', action.operation?.split('.')[0], [...steps, 'operation']),
      ]
  }
}

function fieldEdges(object: string | undefined, values: object, steps: (string | number)[]): Reference[] {
  return Object.keys(values).flatMap((field) => edge('object', object, [...steps, 'values', field], field))
}

export function automationExpressions({ body }: ComponentOf<'automation'>): ExpressionSlot[] {
  const site: ExpressionSite = {
    kind: 'automation',
    object: body.object ?? null,
    phase: body.phase,
    params: body.params,
  }
  const slot = (
    steps: (string | number)[],
    source: string | undefined,
    expects: ParamType | 'any',
  ): ExpressionSlot[] =>
    source === undefined ? [] : [{ path: pointer('body', ...steps), source, site, expects }]
  const map = (steps: (string | number)[], values: Readonly<Record<string, string>>): ExpressionSlot[] =>
    Object.entries(values).flatMap(([name, source]) => slot([...steps, name], source, 'any'))

  return [
    ...slot(['when'], body.when, 'boolean'),
    ...body.actions.flatMap((action, at): ExpressionSlot[] => {
      const steps = ['actions', at]
      switch (action.type) {
        case 'assign':
        case 'create':
          return map([...steps, 'values'], action.values)
        case 'update':
          return [
            ...slot([...steps, 'record'], action.record, 'any'),
            ...map([...steps, 'values'], action.values),
          ]
        case 'raise':
          return slot([...steps, 'when'], action.when, 'boolean')
        case 'publish':
          return map([...steps, 'payload'], action.payload)
        case 'enqueue':
        case 'callout':
          return [
            ...(['pathParams', 'query', 'payload'] as const).flatMap((part) =>
              map([...steps, part], action[part]),
            ),
            ...slot([...steps, 'idempotencyKey'], action.idempotencyKey, 'any'),
          ]
      }
    }),
  ]
}
