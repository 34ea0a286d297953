// What a process knows of a breaker: the state in the store as it was read, with failures that are not in the store yet.
import type { Timer } from '../ports/timer.ts'
import {
  advanceBreaker,
  closedBreaker,
  type BreakerPolicy,
  type BreakerState,
  type BreakerTransition,
} from './breaker.ts'

/** The state in the store, with the last change of it: it shows operators why, since when and by whom. */
export type StoredBreaker = BreakerState & { last?: LastTransition | undefined }

export type LastTransition = BreakerTransition & {
  /** Of the user who forced it; null otherwise. */
  reason: string | null
}

export interface BreakerRefusal {
  /** Milliseconds until a call can be tried; null if only an administrator can close the breaker. */
  retryAfterMs: number | null
}

/** How long other calls wait while a probe is being made. */
const probeWaitMs = 1000
export interface BreakerView {
  state: StoredBreaker
  /** Of the store's clock, at `readAt` of ours. */
  now: number
  readAt: number
}

export interface CountedFailure {
  /** Of our clock. */
  at: number
  policy: BreakerPolicy
  correlationId: string
}

/** A probe mostly ends long before its lease does, and then the breaker is closed. */
export function refusalOf({ state }: BreakerState, until: number | null, now: number): BreakerRefusal {
  if (until === null) return { retryAfterMs: null }
  const left = until - now
  return { retryAfterMs: state === 'half_open' ? Math.min(left, probeWaitMs) : left }
}

/** Counts failures, each at its own time. */
export function withFailures(
  view: BreakerView,
  failures: readonly CountedFailure[],
): BreakerView & { transition: BreakerTransition | null; correlationId: string } {
  let state: StoredBreaker = view.state
  let transition: BreakerTransition | null = null
  /** Of the failure that opened the breaker. */
  let correlationId = ''
  for (const { at, policy, correlationId: failing } of failures) {
    const event = { type: 'report', health: 'failure', token: null } as const
    const change = advanceBreaker(state, event, policy, Math.round(view.now + at - view.readAt))
    if (change === null) continue
    state = withLast(change.state, { before: state, transition: change.transition })
    if (transition !== null || change.transition === null) continue
    transition = change.transition
    correlationId = failing
  }
  return { ...view, state, transition, correlationId }
}

export function nowOf({ now, readAt }: BreakerView, timer: Timer): number {
  return now + timer.elapsedMs() - readAt
}

export function stateOf(text: string | null): StoredBreaker {
  return text === null ? closedBreaker : (JSON.parse(text) as StoredBreaker)
}

interface BreakerStep {
  before: StoredBreaker
  transition: BreakerTransition | null
  reason?: string | undefined
}

/** A state that only counts failures keeps the change before it. */
export function withLast(state: BreakerState, { before, transition, reason }: BreakerStep): StoredBreaker {
  const last = transition === null ? before.last : { ...transition, reason: reason ?? null }
  return { ...state, last }
}
