// What a callout of an automation has returned, as the expressions of later actions read it.
import type { AutomationAction } from '../components/automation/body.ts'
import { operationOf } from '../components/external-service/find-operation.ts'
import type { ServiceType, ServiceTypes } from '../components/external-service/service-types.ts'
import type { ComponentView } from '../components/view.ts'
import { parseDecimal } from '../decimal/decimal.ts'
import { AlmanacError } from '../errors/almanac-error.ts'
import type { ExprValue } from '../expr/index.ts'
import { parseExactJson, readServiceValue } from '../service-values/index.ts'
import type { ActionProgram } from './automation-programs.ts'

export interface CalloutOutcome {
  status: number
  /** As JSON; null without a body. */
  body: string | null
}

/** By the key of the action. */
export type CalloutOutcomes = Readonly<Record<string, CalloutOutcome>>

/** The results of the callouts that were made, by the key of the action. */
export type CalloutResults = ReadonlyMap<string, ExprValue>

export const noResults: CalloutResults = new Map()

/**
 * A body is read when an expression reads it.
 *
 * @throws AlmanacError `integration.unreadable`, then, if the body does not have the type of its operation any more
 */
export function calloutResults(
  view: ComponentView,
  actions: readonly ActionProgram[],
  outcomes: CalloutOutcomes = {},
): CalloutResults {
  const results = new Map<string, ExprValue>()
  for (const { action } of actions)
    if (action.type === 'callout' && Object.hasOwn(outcomes, action.key))
      results.set(action.key, resultOf(view, action, outcomes[action.key]!))
  return results
}

function resultOf(view: ComponentView, action: CalloutAction, { status, body }: CalloutOutcome): ExprValue {
  let read: ExprValue | undefined
  return {
    status: parseDecimal(String(status))!,
    get body() {
      return (read ??= body === null ? null : bodyOf(view, action, body))
    },
  }
}

type CalloutAction = Extract<AutomationAction, { type: 'callout' }>

function bodyOf(view: ComponentView, { key, operation }: CalloutAction, text: string): ExprValue {
  const { type, types } = operation === undefined ? untyped : typeOf(view, operation)
  const read = readServiceValue(parseExactJson(text), type, types)
  if (read.ok) return read.value
  const declared = operation === undefined ? 'a type that Almanac reads' : `the type of ${operation}`
  throw new AlmanacError(
    'integration.unreadable',
    `The response to ${key} does not have ${declared}: ${read.issue.message}`,
  )
}

const untyped: { type: ServiceType; types: ServiceTypes } = {
  type: { kind: 'dyn' },
  types: { operations: [], objects: {} },
}

function typeOf(view: ComponentView, key: string): typeof untyped {
  const { operation, types } = operationOf(view, key)
  return operation === undefined || types === undefined ? untyped : { type: operation.result, types }
}
