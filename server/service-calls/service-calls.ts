// Calls an operation of an external service for a user who waits for it, outside of any transaction.
import { splitOperation } from '#kernel/components/external-service/find-operation.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import { truncateInput } from '#kernel/errors/truncate-input.ts'
import type { ValueIssue } from '#kernel/service-values/index.ts'
import { grantsCalls, type EffectiveAccess } from '../access/index.ts'
import type { CalloutAttempt, Callouts, OutsideTransaction } from '../callouts/index.ts'
import type { IdGenerator } from '../ports/clock.ts'
import type { OpenOperations } from './open-operations.ts'
import type { Payloads } from './payloads.ts'

export interface ServiceCall {
  /** `<service>.<operation>` */
  operation: string
  /** Parameters by key, and `body`, as JSON. */
  params: Readonly<Record<string, unknown>>
  view: ComponentView
  access: EffectiveAccess
  correlationId: string
  /** With which the target recognises a repetition; undefined if the caller sent none. */
  idempotencyKey?: string | undefined
}

export interface ServiceCallResult {
  status: number
  /** As JSON, numbers as text. */
  body: unknown
  attempts: readonly CalloutAttempt[]
}

export interface ServiceCalls {
  /**
   * @throws AlmanacError `operation.not_found`, `request.invalid`, and those of callouts, with the origin
   * `integration.callout`
   */
  call(call: ServiceCall): Promise<ServiceCallResult>
}

export interface ServiceCallsDeps {
  operations: OpenOperations
  payloads: Payloads
  callouts(): Pick<Callouts, 'execute'>
  capability: OutsideTransaction
  ids: IdGenerator
}

export function createServiceCalls(deps: ServiceCallsDeps): ServiceCalls {
  const { operations, payloads, callouts, capability, ids } = deps
  return {
    call: async ({ operation: key, params, view, access, correlationId, idempotencyKey }) => {
      const { service } = splitOperation(key)
      const mayCall = access.platformRoot || grantsCalls(view, key, access.permissionSets)
      const opened = mayCall ? operations.at(view, key) : null
      if (opened === null) throw notFound(view, access, key)
      const written = await payloads.request(opened, { args: params }, access.user)
      if (!written.ok) throw invalidRequest(written.issue)
      const named = view.get('external_service', service)!.body.namedCredential
      const { body } = view.get('named_credential', named)!
      const response = await callouts().execute(capability, {
        ...{ credential: { key: named, body }, actor: access.user, correlationId },
        ...written.request,
        idempotencyKey: { value: idempotencyKey ?? ids.uuid(), isDeclared: idempotencyKey !== undefined },
      })
      const value = await payloads.body(opened, key, response, access.user)
      return { status: response.status, body: value, attempts: response.attempts }
    },
  }
}

/** An operation that the caller cannot call does not exist. */
function notFound(view: ComponentView, access: EffectiveAccess, key: string): AlmanacError {
  const { service } = splitOperation(key)
  const isGranted = access.platformRoot || grantsCalls(view, key, access.permissionSets)
  const hash = view.get('external_service', service)?.body.spec.hash
  const types = isGranted && hash !== undefined ? view.serviceTypes(hash) : undefined
  const known = (types?.operations ?? []).map(({ name }) => `${service}.${name}`)
  return new AlmanacError(
    'operation.not_found',
    `The operation "${truncateInput(key)}" does not exist.${didYouMean(key, known)}`,
  )
}

function invalidRequest({ pointer, message }: ValueIssue): AlmanacError {
  const path = truncateInput(`/params${pointer}`)
  return new AlmanacError('request.invalid', `${path}: ${message}`, {
    details: [{ in: 'body', path, message }],
  })
}
