// Follows callouts, for metrics and the execution trace. What it receives contains no secret and no body.
import type { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { BreakerTransition } from './breaker.ts'
import type { Callout, CalloutAttempt } from './callout.ts'
import type { AttemptOutcome } from './retry.ts'

/** A call of an operation that has waited for it. */
export interface ExecutedCall {
  /** ISO 8601 instant in UTC. */
  at: string
  durationMs: number
  attempts: readonly CalloutAttempt[]
  /** Null if it succeeded. */
  error: AlmanacError | null
}

/** Its methods return at once, and throw nothing. */
export interface CalloutObserver {
  /** An attempt was sent and has ended. */
  onAttempt(call: Callout, attempt: CalloutAttempt, outcome: AttemptOutcome): void
  /** Nothing was sent: the breaker, the budget, a grant or a secret did not allow it. */
  onWithheld(call: Callout, error: AlmanacError): void
  onExecuted(call: Callout, executed: ExecutedCall): void
  /**
   * Reports each change of a breaker once, from the process that made it.
   * @param correlationId of the call or the request that led to it
   */
  onTransition(credential: string, transition: BreakerTransition, correlationId: string): void
}
