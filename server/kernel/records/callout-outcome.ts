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

/** @throws AlmanacError `integration.unreadable` if a body does not have the type of its operation any more */
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

function resultOf(
  view: ComponentView,
  { key, operation }: Extract<AutomationAction, { type: 'callout' }>,
  { status, body }: CalloutOutcome,
): ExprValue {
  const { type, types } = operation === undefined ? untyped : typeOf(view, operation)
  const read = body === null ? absent : readServiceValue(parseExactJson(body), type, types)
  if (!read.ok)
    throw new AlmanacError(
      'integration.unreadable',
      operation === undefined
        ? `The response to ${key} cannot be read: ${read.issue.message}`
        : `The response to ${key} does not have the type of ${operation}: ${read.issue.message}`,
    )
  return { status: parseDecimal(String(status))!, body: read.value }
}

const absent = { ok: true, value: null } as const
const untyped: { type: ServiceType; types: ServiceTypes } = {
  type: { kind: 'dyn' },
  types: { operations: [], objects: {} },
}

function typeOf(view: ComponentView, key: string): typeof untyped {
  const { operation, types } = operationOf(view, key)
  return operation === undefined || types === undefined ? untyped : { type: operation.result, types }
}
