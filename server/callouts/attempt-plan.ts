// One attempt: what is to be sent, and what it came to.
import type { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { SignedRequest } from '../ports/callout-authentication.ts'
import type { Callout, CalloutAttempt, CalloutResponse } from './callout.ts'
import type { CalloutRequest } from './callout-request.ts'
import type { AttemptOutcome, AttemptVerdict } from './retry.ts'

export interface AttemptPlan {
  call: Callout
  request: CalloutRequest
  /** The number of this attempt, from 1. */
  n: number
  /** Earlier attempts of the same caller, for its errors. */
  attempts: readonly CalloutAttempt[]
  /** From connecting to the last byte. */
  timeoutMs: number
  /** The previous attempt, if the target refused its authentication. */
  refused: SignedRequest | null
}

export type AttemptResult = { health: AttemptVerdict['health'] } & (
  | { kind: 'delivered'; response: CalloutResponse; attempt: CalloutAttempt }
  | {
      kind: 'failed'
      outcome: Exclude<AttemptOutcome, 'delivered'>
      verdict: AttemptVerdict
      error: AlmanacError
      attempt: CalloutAttempt
      /** What was sent, if a new token could help. */
      refused: SignedRequest | null
    }
  | { kind: 'deferred'; error: AlmanacError; retryInMs: number }
  | { kind: 'refused'; error: AlmanacError }
)
