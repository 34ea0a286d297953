// The callout that a save or an operation has evaluated, and what it has returned.
import type { NamedCredentialBody } from '#kernel/components/named-credential/body.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { CalloutOutcome } from '#kernel/records/index.ts'
import { calloutOutcome, type Callout, type CalloutResponse } from '../callouts/index.ts'
import type { OutboundCall } from '../ports/outbox.ts'
import type { RecordEffect } from '../ports/record-change.ts'
import type { Payloads } from '../service-calls/index.ts'
import { callRequest } from './call-request.ts'
import { operationOfCall, type OperationAt } from './operation-of-call.ts'

/** What the keys in a call name. */
export interface CallTargets {
  /** The named credential of a call now; undefined if it was removed since. */
  credentialOf(key: string, generation: number): { key: string; body: NamedCredentialBody } | undefined
  operationAt: OperationAt
  payloads: Payloads
}

export type StoredCall = Pick<OutboundCall, 'id' | 'credential' | 'correlationId'> & { effect: RecordEffect }

/**
 * @param deferred what the save left to the time of the attempt: path in the action → value
 * @throws AlmanacError `integration.call_invalid`: nothing can be sent
 */
export async function storedCallout(
  { id, credential: then, correlationId, effect }: StoredCall,
  deferred: Readonly<Record<string, unknown>>,
  targets: CallTargets,
): Promise<Callout> {
  const credential = targets.credentialOf(then, effect.generation)
  if (credential === undefined)
    throw new AlmanacError(
      'integration.call_invalid',
      then === ''
        ? 'The configuration names no credential for the call, so it is not sent.'
        : `The named credential ${then} of generation ${effect.generation} does not exist, so the call is not sent. One that got its key later is a different one.`,
    )
  const operation = await operationOfCall(effect, deferred, targets)
  const request = callRequest(effect, deferred)
  const { payload, idempotencyKey } = request
  return {
    ...{ credential, actor: effect.actor, correlationId },
    origin: { automation: effect.automation, action: effect.action, record: effect.record || null },
    ...(operation ?? {
      ...{ method: request.method as Callout['method'], path: request.path },
      ...{ pathParams: request.pathParams, query: request.query },
      ...(payload !== null && {
        body: { bytes: Buffer.from(payload), mediaType: 'application/json' },
      }),
    }),
    idempotencyKey: { value: idempotencyKey ?? id, isDeclared: idempotencyKey !== null },
  }
}

/**
 * What the actions after a callout read of its response.
 * @throws AlmanacError `integration.unreadable`, `integration.too_large`, `integration.wrong_type`
 */
export async function storedOutcome(
  { effect }: StoredCall,
  response: CalloutResponse,
  { operationAt, payloads }: CallTargets,
): Promise<CalloutOutcome> {
  const outcome = calloutOutcome(response)
  const { operation } = effect.body as { operation?: string | null }
  const opened = operation == null ? null : operationAt(effect.generation, operation)
  if (opened !== null) await payloads.check(opened, operation!, response, effect.actor)
  return outcome
}
