// What an action leaves for after the commit: a call to send, or an event, which has its values at once.
import type { AutomationAction } from '#kernel/components/automation/body.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { eventObjectField, findChannel, parseEventPayload, type EventField } from '#kernel/events/index.ts'
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { exprValueToStored, valueToJson, type ExprValue } from '#kernel/expr/index.ts'
import {
  failureReason,
  objectPrograms,
  storedForm,
  type ActionProgram,
  type FieldProgram,
} from '#kernel/records/index.ts'
import type { OutboundCall } from '../../ports/outbox.ts'
import type { PlatformEvent } from '../../ports/events.ts'
import type { RecordEffect } from '../../ports/record-store.ts'
import { platformEvent, referredRecords } from '../events/platform-event.ts'
import { evaluate } from './run-automation.ts'
import type { AutomationRun } from './automation-run.ts'

type PublishAction = Extract<AutomationAction, { type: 'publish' }>
type OutboundAction = Extract<AutomationAction, { type: 'enqueue' | 'callout' }>

/** @throws AlmanacError `record.invalid` if an expression cannot be evaluated, `limit.event_too_large` */
export function eventOf(run: AutomationRun, step: ActionProgram, action: PublishAction): PlatformEvent {
  const { context, record } = run
  const { view } = context.present
  const channel = findChannel(view, action.channel)!
  const schema = channel.source.kind === 'platform' ? channel.source.schema : []
  const sent: Record<string, FieldValue> = {}
  const sensitive: string[] = []
  for (const field of schema) {
    const program = Object.hasOwn(action.payload, field.key) ? step.program('payload', field.key) : null
    if (program === null) continue
    sent[field.key] = eventValue(run, channel.name, field, evaluate(run, program))
    if (readsSensitive(view, program)) sensitive.push(field.key)
  }
  const parsed = parseEventPayload(view, schema, sent)
  if ('problems' in parsed) throw unfitEvent(run, channel.name, parsed.problems[0]!.field)
  const { actor, correlationId, now: at } = context
  const [, id = null] = record.name.split('/')
  const referred = referredRecords(schema, parsed.payload)
  const records = id === null ? referred : [...new Set([id, ...referred])]
  const circumstances = { id: context.newId(), actor, correlationId, at, records, sensitive }
  return platformEvent(context.present, channel, circumstances, parsed.payload)
}

function eventValue(run: AutomationRun, channel: string, field: EventField, value: ExprValue): FieldValue {
  try {
    return exprValueToStored(value, storedForm(eventObjectField(field)))
  } catch (error) {
    throw failureReason(error) === null ? error : unfitEvent(run, channel, field.key)
  }
}

/** Without the value, which can be hidden from the user. */
function unfitEvent(run: AutomationRun, channel: string, field: string): AlmanacError {
  const { key } = run.automation
  const message = `The automation ${key} cannot publish to ${channel}. The result for ${field} does not fit its schema.`
  return run.refusal({ field: null, code: 'event.invalid', message, automation: key })
}

/** @throws AlmanacError `record.invalid` if an expression cannot be evaluated */
export function effectOf(run: AutomationRun, step: ActionProgram, action: OutboundAction): RecordEffect {
  const { context, automation, record } = run
  const deferred: string[] = []
  const value = (...path: string[]): unknown => {
    const program = step.program(...path)
    if (program === null) return null
    if (readsSensitive(context.present.view, program)) {
      deferred.push(path.join('/'))
      return null
    }
    return valueToJson(evaluate(run, program))
  }
  const values = (name: string, expressions: object): object =>
    Object.fromEntries(Object.keys(expressions).map((key) => [key, value(name, key)]))
  const body = {
    ...{ credential: credentialOf(run, step, action), operation: action.operation },
    ...{ method: action.method, path: action.path },
    ...(action.args === undefined ? {} : { args: values('args', action.args) }),
    pathParams: values('pathParams', action.pathParams),
    query: values('query', action.query),
    payload: values('payload', action.payload),
    idempotencyKey: value('idempotencyKey'),
  }
  return {
    kind: 'enqueue',
    ...{ automation: automation.key, action: action.key },
    ...{ record: record.name, version: record.version },
    ...{ generation: context.present.generation, actor: context.actor, at: context.now },
    ...{ body, deferred },
  }
}

/**
 * How the call of an action is delivered.
 * @param job that waits for it
 */
export function callOf(
  run: AutomationRun,
  step: ActionProgram,
  action: OutboundAction,
  job: string | null = null,
): OutboundCall {
  const { context, record } = run
  const { operation } = action
  const { newId, correlationId, scopePath, present } = context
  const service = operation === undefined ? undefined : operation.slice(0, operation.indexOf('.'))
  const key =
    credentialOf(run, step, action) ??
    present.view.get('external_service', service ?? '')?.body.namedCredential ??
    ''
  const prior = context.found.get(record.name.slice(record.name.indexOf('/') + 1))?.version ?? 0
  return { id: newId(), credential: key, correlationId, scopePath, prior, job }
}

/** A credential from configuration can have no value: then the call is dead, which loses no save. */
function credentialOf(
  run: AutomationRun,
  { program }: ActionProgram,
  { credential }: OutboundAction,
): string | undefined {
  const expression = program('credential')
  return expression === null ? credential : ((evaluate(run, expression) as string | null) ?? '')
}

/** Whether an expression reads a sensitive field, also along a reference or through formulas. */
function readsSensitive(view: ComponentView, { program }: FieldProgram): boolean {
  return program.reads.fields.some(({ object, field }) => {
    const programs = objectPrograms(view, object)
    const declared = programs?.field(field)
    if (programs === null || declared === undefined) return false
    const formula = programs.formula(declared)
    return declared.sensitive || (formula !== null && readsSensitive(view, formula))
  })
}
