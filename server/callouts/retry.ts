// What an attempt came to, and when the next one follows: pure functions over data (docs/reference/component-types.md).
import type { NamedCredentialBody } from '#kernel/components/named-credential/body.ts'
import { backoffMs, maxRetryWaitMs } from '#kernel/components/named-credential/retry-schedule.ts'
import type { CalloutFaultKind, CalloutMethod } from '../ports/callout-transport.ts'

export type RetryPolicy = NamedCredentialBody['retry']
export type RetryTrigger = RetryPolicy['retryOn'][number]

/** How an attempt ended: with a response, or with a fault of the transport. */
export type AttemptEnd =
  | { kind: 'response'; status: number; isAccepted: boolean; retryAfterMs: number | null }
  | { kind: 'fault'; fault: CalloutFaultKind; isSent: boolean; status: number | null }

/**
 * `delivered`: the target carried it out. `failed`: it certainly did not, or it refused. `unknown`: the target could
 * have received the request, and it is not known whether it carried it out.
 */
export type AttemptOutcome = 'delivered' | 'failed' | 'unknown'

export interface AttemptVerdict {
  outcome: AttemptOutcome
  /** The trigger that permits another attempt, if the policy names it; null if none does. */
  trigger: RetryTrigger | null
  /** What the breaker learns: `none` if the attempt shows nothing about the target. */
  health: 'success' | 'failure' | 'none'
  retryAfterMs: number | null
}

const automatic: ReadonlySet<CalloutMethod> = new Set(['GET', 'HEAD', 'PUT', 'DELETE'])

/** Whether a call can be sent twice. */
export function isRepeatable(method: CalloutMethod, hasIdempotencyKey: boolean): boolean {
  return automatic.has(method) || hasIdempotencyKey
}

const faultVerdicts: Readonly<Record<CalloutFaultKind, Pick<AttemptVerdict, 'trigger' | 'health'>>> = {
  timeout: { trigger: 'timeout', health: 'failure' },
  unreachable: { trigger: 'connection', health: 'failure' },
  lost: { trigger: 'connection', health: 'failure' },
  // A certificate does not become valid within seconds, but a target with a wrong one is not healthy.
  tls: { trigger: null, health: 'failure' },
  unreadable: { trigger: null, health: 'none' },
  too_large: { trigger: null, health: 'none' },
  address: { trigger: null, health: 'none' },
  cancelled: { trigger: null, health: 'none' },
  invalid: { trigger: null, health: 'none' },
}

/** Statuses of a gateway that does not know what the target did. */
const gatewayStatuses: ReadonlySet<number> = new Set([502, 504])

export function judgeAttempt(end: AttemptEnd): AttemptVerdict {
  if (end.kind === 'fault') {
    const hasRefusal = end.status !== null && end.status >= 300 && !gatewayStatuses.has(end.status)
    const outcome = end.isSent && !hasRefusal ? 'unknown' : 'failed'
    return { ...faultVerdicts[end.fault], outcome, retryAfterMs: null }
  }
  const { status, isAccepted, retryAfterMs } = end
  const health = status >= 500 ? 'failure' : 'success'
  if (isAccepted) return { outcome: 'delivered', trigger: null, health, retryAfterMs: null }
  const trigger = status === 429 ? 'http_429' : status >= 500 ? 'http_5xx' : null
  return { outcome: gatewayStatuses.has(status) ? 'unknown' : 'failed', trigger, health, retryAfterMs }
}

export interface RetryQuestion {
  policy: RetryPolicy
  /** Attempts that were made so far; each request that was handed to the transport is one. */
  attempts: number
  isRepeatable: boolean
  verdict: AttemptVerdict
  /** At least 0, less than 1. */
  random: number
}

/** Returns the milliseconds until the next attempt; null if no attempt follows. */
export function nextAttemptDelayMs(question: RetryQuestion): number | null {
  const { policy, attempts, verdict } = question
  if (verdict.outcome === 'delivered' || !question.isRepeatable) return null
  if (attempts >= policy.attempts) return null
  if (verdict.trigger === null || !policy.retryOn.includes(verdict.trigger)) return null
  const requestedMs = Math.min(verdict.retryAfterMs ?? 0, maxRetryWaitMs)
  return Math.max(requestedMs, backoffMs(policy, attempts, question.random))
}
