// The parts of an attempt: its request is authenticated, and how it ended is judged.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import type { SignedRequest } from '../ports/callout-authentication.ts'
import type { Clock } from '../ports/clock.ts'
import { CalloutFault, type TransportRequest, type TransportResponse } from '../ports/callout-transport.ts'
import type { AttemptPlan, AttemptResult } from './attempt-plan.ts'
import type { CalloutAttempt, CalloutProblem } from './callout.ts'
import { calloutError, describeFault, describeStatus, problemOf, withCalloutOrigin } from './callout-error.ts'
import type { CalloutsDeps } from './deps.ts'
import { judgeAttempt, type AttemptEnd } from './retry.ts'
import { retryAfterMs } from './retry-after.ts'

const defaultMaxBytes = 10 * 1024 * 1024
/** Without a hint, a token that cannot be obtained now is asked for again after this time. */
const tokenRetryMs = 5000
/** Not the fault of the call: an operator brings the vault or its key back. */
const vaultCodes: ReadonlySet<ErrorCode> = new Set(['vault.key', 'vault.damaged', 'storage.damaged'])
const vaultRetryMs = 30_000

type Signing = SignedRequest | AttemptResult

/** Without waiting, if the authentication does not wait. */
export function signRequest(
  { authentication }: Pick<CalloutsDeps, 'authentication'>,
  plan: AttemptPlan,
): Promise<Signing> | Signing {
  const { method, url, headers, body } = plan.request
  const { credential, actor, correlationId, signal } = plan.call
  const { refused } = plan
  const request = { method, url, headers, body, credential, actor, correlationId, signal, refused }
  try {
    const signed = authentication.authenticate(request)
    if (!(signed instanceof Promise)) return withSameOrigin(plan, signed)
    return signed.then((later) => withSameOrigin(plan, later)).catch(unsigned)
  } catch (cause) {
    return unsigned(cause)
  }
}

function withSameOrigin({ call, request, attempts }: AttemptPlan, signed: SignedRequest): Signing {
  if (signed.url === request.url || new URL(signed.url).origin === request.origin) return signed
  const words = 'its scheme changed the target, so nothing was sent'
  const error = calloutError(call, 'integration.call_invalid', words, { attempts })
  return { kind: 'refused', health: 'none', error }
}

function unsigned(cause: unknown): AttemptResult {
  if (!(cause instanceof AlmanacError)) throw cause
  const error = withCalloutOrigin(cause)
  const isVault = vaultCodes.has(error.code)
  if (!isVault && !error.kind.retriable) return { kind: 'refused', health: 'none', error }
  const usualMs = isVault ? vaultRetryMs : tokenRetryMs
  const retryInMs = error.retryAfter === undefined ? usualMs : error.retryAfter * 1000
  return { kind: 'deferred', health: 'none', error, retryInMs }
}

export function transportRequestOf(
  { call, request: { method, body } }: AttemptPlan,
  { url, headers, tls }: SignedRequest,
  timeoutMs: number,
): TransportRequest {
  const { signal, maySend, maxBytes = defaultMaxBytes } = call
  return { method, url, headers, body, tls, timeoutMs, maxBytes, signal, maySend }
}

export function judgeExchange(
  clock: Clock,
  { call, attempts, timeoutMs }: AttemptPlan,
  signed: SignedRequest,
  end: TransportResponse | CalloutFault,
  start: Omit<CalloutAttempt, 'status' | 'error'>,
): AttemptResult {
  const { status } = end
  const isAccepted = status !== null && (call.accepts ?? isSuccess)(status)
  const verdict = judgeAttempt(endOf(end, isAccepted, clock))
  // A call that was given less time than its credential allows shows nothing about the target.
  const isShort =
    end instanceof CalloutFault && end.kind === 'timeout' && timeoutMs < call.credential.body.timeoutMs
  const health = isShort ? 'none' : verdict.health
  if (verdict.outcome === 'delivered' && !(end instanceof CalloutFault))
    return { kind: 'delivered', health, response: end, attempt: attemptOf(start, status, null) }
  const [code, words] = end instanceof CalloutFault ? describeFault(end) : describeStatus(end.status)
  const facts = { status, outcome: verdict.outcome === 'unknown' ? 'unknown' : 'failed' } as const
  const own = calloutError(call, code, words, { ...facts, attempts: [] })
  const attempt = attemptOf(start, status, problemOf(own, call.correlationId))
  const all = { ...facts, attempts: [...attempts, attempt], retryAfterMs: verdict.retryAfterMs }
  return {
    kind: 'failed',
    health,
    outcome: facts.outcome,
    verdict,
    error: calloutError(call, code, words, all),
    attempt,
    refused: !(end instanceof CalloutFault) && signed.refreshOn?.includes(end.status) ? signed : null,
  }
}

const attemptOf = (
  { n, at, endpoint, latencyMs }: Omit<CalloutAttempt, 'status' | 'error'>,
  status: number | null,
  error: CalloutProblem | null,
): CalloutAttempt => ({ n, at, endpoint, latencyMs, status, error })

function endOf(end: TransportResponse | CalloutFault, isAccepted: boolean, clock: Clock): AttemptEnd {
  if (end instanceof CalloutFault)
    return { kind: 'fault', fault: end.kind, isSent: end.isSent, status: end.status }
  const { status, headers } = end
  const hasWait = headers['retry-after'] !== undefined
  const waitMs = hasWait ? retryAfterMs(headers, Date.parse(clock.now())) : null
  return { kind: 'response', status, isAccepted, retryAfterMs: waitMs }
}

/** A target sends 304 because of a condition in the request. */
function isSuccess(status: number): boolean {
  return (status >= 200 && status < 300) || status === 304
}
