// The callout that a save or an operation has evaluated.
import type { NamedCredentialBody } from '#kernel/components/named-credential/body.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Callout } from '../callouts/index.ts'
import type { OutboundCall } from '../ports/outbox.ts'
import type { RecordEffect } from '../ports/record-change.ts'
import { callRequest } from './call-request.ts'

/** The named credential of a call now; undefined if it was removed since. */
export type CredentialOf = (
  key: string,
  generation: number,
) => { key: string; body: NamedCredentialBody } | undefined

export type StoredCall = Pick<OutboundCall, 'id' | 'credential' | 'correlationId'> & { effect: RecordEffect }

/**
 * @param deferred what the save left to the time of the attempt: path in the action → value
 * @throws AlmanacError `integration.call_invalid`, `integration.unavailable`: nothing can be sent
 */
export function storedCallout(
  { id, credential: then, correlationId, effect }: StoredCall,
  deferred: Readonly<Record<string, unknown>>,
  credentialOf: CredentialOf,
): Callout {
  const { operation } = effect.body
  if (operation != null)
    throw new AlmanacError(
      'integration.unavailable',
      `The call is the operation ${String(operation)} of an external service, which this version does not call yet, so nothing was sent.`,
    )
  const credential = credentialOf(then, effect.generation)
  if (credential === undefined)
    throw new AlmanacError(
      'integration.call_invalid',
      then === ''
        ? 'The configuration names no credential for the call, so it is not sent.'
        : `The named credential ${then} does not exist, so the call is not sent.`,
    )
  const request = callRequest(effect, deferred)
  const { payload, idempotencyKey } = request
  return {
    ...{ credential, actor: effect.actor, correlationId },
    ...{ method: request.method as Callout['method'], path: request.path },
    ...{ pathParams: request.pathParams, query: request.query },
    ...(payload === null ? {} : { body: { bytes: Buffer.from(payload), mediaType: 'application/json' } }),
    idempotencyKey: { value: idempotencyKey ?? id, isDeclared: idempotencyKey !== null },
  }
}
