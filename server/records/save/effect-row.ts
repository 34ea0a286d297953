// What an action leaves for after the commit: an event to publish, or a call to send.
import type { AutomationAction } from '#kernel/components/automation/body.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { valueToJson } from '#kernel/expr/index.ts'
import { objectPrograms, type ActionProgram, type FieldProgram } from '#kernel/records/index.ts'
import type { OutboundCall } from '../../ports/outbox.ts'
import type { RecordEffect } from '../../ports/record-store.ts'
import { eventTooLarge } from './record-errors.ts'
import { evaluate } from './run-automation.ts'
import type { AutomationRun } from './automation-run.ts'

type Deferrable = Extract<AutomationAction, { type: 'publish' | 'enqueue' | 'callout' }>
type OutboundAction = Extract<Deferrable, { type: 'enqueue' | 'callout' }>

/** @throws AlmanacError `record.invalid` if an expression cannot be evaluated, `limit.event_too_large` */
export function effectOf(run: AutomationRun, step: ActionProgram, action: Deferrable): RecordEffect {
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
  const body =
    action.type === 'publish'
      ? { channel: action.channel, payload: values('payload', action.payload) as Payload }
      : {
          ...{ credential: credentialOf(run, step, action), operation: action.operation },
          ...{ method: action.method, path: action.path },
          ...(action.args === undefined ? {} : { args: values('args', action.args) }),
          pathParams: values('pathParams', action.pathParams),
          query: values('query', action.query),
          payload: values('payload', action.payload),
          idempotencyKey: value('idempotencyKey'),
        }
  if (body.channel !== undefined) requireSmallEnough(context.present.view, body)
  return {
    ...{ kind: action.type === 'publish' ? 'publish' : 'enqueue' },
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

type Payload = Readonly<Record<string, unknown>>

/** The size of an event is that of its payload as JSON. */
export function requireSmallEnough(
  view: ComponentView,
  { channel, payload }: { channel: string; payload: Payload },
): void {
  const maxBytes = view.get('event_channel', channel)?.body.maxBytes
  const bytes = jsonBytes(payload)
  if (maxBytes === undefined || bytes <= maxBytes) return
  const sizes = Object.entries(payload).map(([field, value]) => ({ field, bytes: jsonBytes(value) }))
  const largest = sizes.reduce((most, each) => (each.bytes > most.bytes ? each : most))
  throw eventTooLarge(channel, { bytes, maxBytes, largest })
}

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

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
