// Callouts: calls to the outside that are granted, budgeted, retried and never made inside a transaction.
export { problemOf } from './callout-error.ts'
export { requireKnownCharset } from './response-charset.ts'
export { calloutOutcome } from './callout-outcome.ts'
export { endpointOf } from './callout-request.ts'
export { createCallouts, type CalloutBreaker, type Callouts, type ExecuteOptions } from './callouts.ts'
export type {
  AttemptReport,
  AttemptStart,
  Callout,
  CalloutAttempt,
  CalloutFailure,
  CalloutProblem,
  CalloutResponse,
  CalloutResult,
  IdempotencyKey,
} from './callout.ts'
export type { BreakerPolicy, BreakerState, BreakerTransition } from './breaker.ts'
export { createBreakers, type Breakers } from './breakers.ts'
export { testCall, type TestCall } from './test-call.ts'
export type { CalloutsDeps } from './deps.ts'
export type { CalloutObserver, ExecutedCall } from './callout-observer.ts'
export type { OutsideTransaction } from '../ports/outside-transaction.ts'
export { isRepeatable } from './retry.ts'
export { createCalloutCounts, type CalloutCounts, type CredentialCounts } from './callout-counts.ts'
