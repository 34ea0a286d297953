// The circuit breaker of a named credential as a pure state machine (docs/reference/component-types.md).
import { assertNever } from '#kernel/expr/assert-never.ts'
import type { NamedCredentialBody } from '#kernel/components/named-credential/body.ts'

export type BreakerPolicy = NamedCredentialBody['circuitBreaker']

/** Instants are milliseconds since 1970. */
export type BreakerState =
  | { state: 'closed'; failures: readonly FailureCount[] }
  | { state: 'open'; until: number }
  /** One call may try the target; if it does not report until `until`, another one may. */
  | { state: 'half_open'; probe: string; until: number }
  | { state: 'forced_open'; by: string }

/** Failures in one step of time, so that a state stays small: a step is a thousandth of the window. */
export type FailureCount = readonly [at: number, count: number]

export type BreakerCause =
  | 'failures'
  | 'open_elapsed'
  | 'probe_succeeded'
  | 'probe_failed'
  | 'probe_released'
  | 'probe_lapsed'
  | 'forced_open'
  | 'forced_closed'

export interface BreakerTransition {
  from: BreakerState['state']
  to: BreakerState['state']
  cause: BreakerCause
  at: number
  /** Key of the user who forced it; null otherwise. */
  actor: string | null
}

export interface BreakerChange {
  state: BreakerState
  /** Null if only failures were counted. */
  transition: BreakerTransition | null
}

export type BreakerEvent =
  /** A call wants to be the probe. The token identifies its report. */
  | { type: 'probe'; token: string; leaseMs: number }
  | { type: 'report'; health: 'success' | 'failure' | 'none'; token: string | null }
  | { type: 'force_open'; actor: string }
  | { type: 'force_close'; actor: string }

export const closedBreaker: BreakerState = { state: 'closed', failures: [] }

export type BreakerAnswer =
  | { kind: 'pass' }
  /** The call may ask to be the probe. */
  | { kind: 'probe' }
  /** @see until null if only an administrator can close it */
  | { kind: 'refuse'; until: number | null }

export function answerOf(state: BreakerState, now: number): BreakerAnswer {
  switch (state.state) {
    case 'closed':
      return { kind: 'pass' }
    case 'open':
    case 'half_open':
      return now >= state.until ? { kind: 'probe' } : { kind: 'refuse', until: state.until }
    case 'forced_open':
      return { kind: 'refuse', until: null }
    default:
      return assertNever(state)
  }
}

/** Returns null if the event changes nothing. */
export function advanceBreaker(
  state: BreakerState,
  event: BreakerEvent,
  policy: BreakerPolicy,
  now: number,
): BreakerChange | null {
  const change = (next: BreakerState, cause: BreakerCause, actor: string | null = null): BreakerChange => ({
    state: next,
    transition: { from: state.state, to: next.state, cause, at: now, actor },
  })
  switch (event.type) {
    case 'probe': {
      if (answerOf(state, now).kind !== 'probe') return null
      const cause = state.state === 'half_open' ? 'probe_lapsed' : 'open_elapsed'
      return change({ state: 'half_open', probe: event.token, until: now + event.leaseMs }, cause)
    }
    case 'report': {
      if (state.state === 'closed')
        return event.health === 'failure' ? countFailure(state, policy, now) : null
      // A call that began before the breaker opened does not show how the target is now.
      if (state.state !== 'half_open' || state.probe !== event.token) return null
      if (event.health === 'success') return change(closedBreaker, 'probe_succeeded')
      if (event.health === 'none') return change({ state: 'open', until: now }, 'probe_released')
      return change({ state: 'open', until: now + policy.openSec * 1000 }, 'probe_failed')
    }
    case 'force_open':
      return state.state === 'forced_open'
        ? null
        : change({ state: 'forced_open', by: event.actor }, 'forced_open', event.actor)
    case 'force_close':
      if (state.state !== 'closed') return change(closedBreaker, 'forced_closed', event.actor)
      return state.failures.length === 0 ? null : { state: closedBreaker, transition: null }
    default:
      return assertNever(event)
  }
}

function countFailure(
  { failures }: Extract<BreakerState, { state: 'closed' }>,
  { failureThreshold, windowSec, openSec }: BreakerPolicy,
  now: number,
): BreakerChange {
  const at = now - (now % windowSec)
  const recent = failures.filter(([time]) => time > now - windowSec * 1000)
  const same = recent.findIndex(([time]) => time === at)
  const counted: FailureCount[] =
    same < 0 ? [...recent, [at, 1]] : recent.with(same, [at, recent[same]![1] + 1])
  const total = counted.reduce((sum, [, count]) => sum + count, 0)
  if (total < failureThreshold) return { state: { state: 'closed', failures: counted }, transition: null }
  return {
    state: { state: 'open', until: now + openSec * 1000 },
    transition: { from: 'closed', to: 'open', cause: 'failures', at: now, actor: null },
  }
}
