// The callout that a save or an operation has evaluated, and what it has returned.
import type { NamedCredentialBody } from '#kernel/components/named-credential/body.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { CalloutOutcome } from '#kernel/records/index.ts'
import { calloutOutcome, type Callout, type CalloutResponse } from '../callouts/index.ts'
import type { OutboundCall } from '../ports/outbox.ts'
import type { RecordEffect } from '../ports/record-change.ts'
import { operationBody } from '../service-calls/index.ts'
import { callRequest } from './call-request.ts'
import { operationOfCall, type OperationAt } from './operation-of-call.ts'

/** What the keys in a call name. */
export interface CallTargets {
  /** The named credential of a call now; undefined if it was removed since. */
  credentialOf(key: string, generation: number): { key: string; body: NamedCredentialBody } | undefined
  operationAt: OperationAt
}

export type StoredCall = Pick<OutboundCall, 'id' | 'credential' | 'correlationId'> & { effect: RecordEffect }

/**
 * @param deferred what the save left to the time of the attempt: path in the action → value
 * @throws AlmanacError `integration.call_invalid`: nothing can be sent
 */
export function storedCallout(
  { id, credential: then, correlationId, effect }: StoredCall,
  deferred: Readonly<Record<string, unknown>>,
  { credentialOf, operationAt }: CallTargets,
): Callout {
  const credential = credentialOf(then, effect.generation)
  if (credential === undefined)
    throw new AlmanacError(
      'integration.call_invalid',
      then === ''
        ? 'The configuration names no credential for the call, so it is not sent.'
        : `The named credential ${then} does not exist, so the call is not sent.`,
    )
  const operation = operationOfCall(effect, deferred, operationAt)
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
 * @throws AlmanacError `integration.unreadable`, `integration.wrong_type`
 */
export function storedOutcome(
  { effect }: StoredCall,
  response: CalloutResponse,
  { operationAt }: CallTargets,
): CalloutOutcome {
  const { operation } = effect.body as { operation?: string | null }
  const callable = operation == null ? null : operationAt(effect.generation, operation)
  if (callable !== null) operationBody(callable, operation!, response)
  return calloutOutcome(response)
}
