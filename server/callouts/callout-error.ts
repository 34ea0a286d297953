// Errors of callouts, in words: which named credential, what happened, what to do. No header, query or body is in them.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import type { CalloutFault, CalloutFaultKind } from '../ports/callout-transport.ts'
import type { Callout, CalloutAttempt, CalloutFailure, CalloutProblem } from './callout.ts'
import { endpointOf } from './callout-request.ts'
import type { AttemptOutcome } from './retry.ts'

export const calloutOrigin = 'integration.callout'

interface FailureFacts {
  status?: number | null
  outcome?: Exclude<AttemptOutcome, 'delivered'>
  attempts: readonly CalloutAttempt[]
  retryAfterMs?: number | null
}

export function calloutError(
  call: Callout,
  code: ErrorCode,
  words: string,
  facts: FailureFacts,
): AlmanacError {
  const { method, credential } = call
  const { status = null, outcome = null, attempts, retryAfterMs = null } = facts
  const endpoint = endpointOf(call)
  const times = attempts.length > 1 ? ` after ${attempts.length} attempts` : ''
  const failure: CalloutFailure = {
    ...{ credential: credential.key, method, endpoint, status, outcome, attempts },
    reason: words,
  }
  return new AlmanacError(code, `${method} ${endpoint} of ${credential.key} failed${times}: ${words}.`, {
    details: [failure],
    origin: calloutOrigin,
    retryAfter: retryAfterMs === null ? undefined : Math.max(1, Math.ceil(retryAfterMs / 1000)),
  })
}

/** An error of a port, as it is, but with the origin of a callout. */
export function withCalloutOrigin(error: AlmanacError): AlmanacError {
  if (error.origin === calloutOrigin) return error
  const { code, message, details, retryAfter, cause } = error
  return new AlmanacError(code, message, { details, retryAfter, origin: calloutOrigin, cause })
}

const faults: Readonly<
  Record<CalloutFaultKind, readonly [code: ErrorCode, words: (reason: string) => string]>
> = {
  unreachable: ['integration.unreachable', (reason) => `it cannot be reached, because ${reason}`],
  address: ['integration.address_refused', (reason) => `it cannot be contacted from here: ${reason}`],
  tls: ['integration.tls', (reason) => `${reason}, so nothing was sent`],
  timeout: ['integration.timeout', (reason) => `there was ${reason}`],
  lost: ['integration.connection_lost', (reason) => reason],
  too_large: ['integration.too_large', (reason) => `the response has ${reason}`],
  unreadable: ['integration.unreadable', (reason) => reason],
  cancelled: ['integration.connection_lost', (reason) => reason],
  invalid: ['integration.call_invalid', (reason) => reason],
}

export function describeFault({ kind, message }: CalloutFault): [code: ErrorCode, words: string] {
  const [code, words] = faults[kind]
  return [code, words(message)]
}

export function describeStatus(status: number): [code: ErrorCode, words: string] {
  if (status >= 500) return ['integration.remote_failed', `it returned ${status}`]
  if (status === 429)
    return [
      'integration.throttled',
      'it returned 429, because it receives too many requests; lower the budget of the named credential',
    ]
  if (status === 401)
    return [
      'integration.sign_in',
      'it returned 401, so it does not accept the credentials; check the secret of the external credential',
    ]
  if (status === 403)
    return ['integration.forbidden', 'it returned 403, so the principal is not allowed to do this there']
  if (status >= 300 && status < 400)
    return [
      'integration.redirect_refused',
      `it returned ${status}, and redirects are not followed; change the URL of the named credential`,
    ]
  return ['integration.refused', `it returned ${status}`]
}

export function problemOf(
  error: AlmanacError,
  correlationId: string,
  origin: string = calloutOrigin,
): CalloutProblem {
  const { code, message, kind } = error
  return {
    class: kind.class,
    code,
    detail: message,
    correlationId,
    retriable: kind.retriable,
    origin: error.origin ?? origin,
  }
}
