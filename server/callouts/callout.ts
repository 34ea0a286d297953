// A callout as its callers see it: what is sent, what comes back, and how each attempt ended.
import type { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ErrorClass, ErrorCode } from '#kernel/errors/catalogue.ts'
import type { CalloutCredential } from '../ports/callout-authentication.ts'
import type { CalloutMethod } from '../ports/callout-transport.ts'
import type { AttemptOutcome } from './retry.ts'

export interface Callout {
  credential: CalloutCredential
  /** Key of the user for whom the call is made. */
  actor: string
  correlationId: string
  /** The action that makes the call, for the execution trace. */
  origin?: { automation: string; action: string; record: string | null } | undefined
  method: CalloutMethod
  /** What follows the URL of the credential, with names in braces: `/customers/{id}`. */
  path: string
  /** What is shown instead of `path`, if its names are already filled: a value can be sensitive. */
  endpointPath?: string | undefined
  pathParams?: Readonly<Record<string, string>> | undefined
  /** Whether the path can contain encoded slashes, as the keys of OData do. */
  hasSlashes?: boolean | undefined
  query?: readonly (readonly [name: string, value: string])[] | undefined
  /** A query that is already encoded, sent as it is instead of `query`: a link of the target. */
  encodedQuery?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
  body?: { bytes: Uint8Array; mediaType: string } | undefined
  idempotencyKey?: IdempotencyKey | undefined
  /** Which statuses are a success. Without it: 2xx, and 304. */
  accepts?: ((status: number) => boolean) | undefined
  /** Size of the response; without it, 10 MiB. */
  maxBytes?: number | undefined
  signal?: AbortSignal | undefined
  /** Called before each attempt is sent, and awaited. If it rejects, nothing is sent. */
  onAttempt?: ((attempt: AttemptStart) => Promise<void> | void) | undefined
  /** Asked just before the first byte is written, which can be long after `onAttempt`. If false, nothing is sent. */
  maySend?: (() => boolean) | undefined
}

export interface IdempotencyKey {
  /** Sent as `Idempotency-Key`. */
  value: string
  /** Whether the author declared the call safe to repeat. */
  isDeclared: boolean
}

export interface AttemptStart {
  /** From 1. */
  n: number
  /** ISO 8601 instant in UTC. */
  at: string
  /** The URL without its query; names in braces are not filled, because a value can be sensitive. */
  endpoint: string
}

export interface CalloutAttempt extends AttemptStart {
  status: number | null
  latencyMs: number
  error: CalloutProblem | null
}

/** The error envelope of an attempt. */
export interface CalloutProblem {
  class: ErrorClass
  code: ErrorCode
  detail: string
  correlationId: string
  retriable: boolean
  origin: string
}

export interface CalloutResponse {
  status: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  body: Uint8Array
}

export interface CalloutResult extends CalloutResponse {
  attempts: readonly CalloutAttempt[]
}

/** The result of one turn of a caller that keeps its own schedule. */
export type AttemptReport = { attempts: readonly CalloutAttempt[] } & (
  | { kind: 'delivered'; response: CalloutResponse }
  /** `retryInMs` is null if no attempt follows. */
  | {
      kind: 'failed'
      outcome: Exclude<AttemptOutcome, 'delivered'>
      error: AlmanacError
      retryInMs: number | null
    }
  /** The breaker is open, the budget is spent, or a token cannot be obtained now. Costs no attempt. */
  | { kind: 'deferred'; error: AlmanacError; retryInMs: number }
  /** The call cannot be made: a grant or a secret is missing, or it is not valid. Nothing was sent. */
  | { kind: 'refused'; error: AlmanacError }
)

/** The one item in `details` of an error of class integration with the origin `integration.callout`. */
export interface CalloutFailure {
  credential: string
  method: CalloutMethod
  endpoint: string
  status: number | null
  outcome: Exclude<AttemptOutcome, 'delivered'> | null
  /** Why it failed, without the target: "it returned 500". */
  reason: string
  attempts: readonly CalloutAttempt[]
}
