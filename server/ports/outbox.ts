// Calls that saves have left for after their commit. A row is in the transaction of its save, and goes when the target
// has acknowledged it.
import type { ScopePath } from '#kernel/components/scopes.ts'
import type { LimitCell } from './callout-limits.ts'
import type { RecordEffect } from './record-change.ts'

/**
 * `pending` waits for its next attempt; `sending` is claimed by a worker; `dead` has failed for good; `resolved` and
 * `discarded` were dead, and a user has dealt with them. A delivered row is removed.
 */
export type OutboxState = 'pending' | 'sending' | 'dead' | 'resolved' | 'discarded'

/** A problem as problem+json shows it, without what a response contained. */
export interface OutboxProblem {
  code: string
  class: string
  title: string
  detail: string
  origin: string
  retriable: boolean
  /** Since when a row waits because it cannot be authenticated; absent for other problems. */
  since?: string | undefined
}

export interface OutboxAttempt {
  /** From 1. */
  n: number
  at: string
  /** Method and URL without its query. */
  endpoint: string
  /** Of the response; null without one. */
  status: number | null
  /** In milliseconds; null until it has ended. */
  latencyMs: number | null
  /** Null if it succeeded or has not ended. */
  error: OutboxProblem | null
}

/** What an effect needs to be sent. */
export interface OutboundCall {
  /** Of the row; the key with which the target recognises a repetition, unless the action declares one. */
  id: string
  /** Key of the named credential in the generation of the effect. */
  credential: string
  correlationId: string
  scopePath: ScopePath
  /** Of the record as the save found it; 0 if it was added. */
  prior: number
  /** The job of the automation that waits for it; null if nothing waits. */
  job: string | null
}

export interface OutboxResolution {
  at: string
  by: string
  /** Empty for a row that was resolved without one. */
  reason: string
}

export interface OutboxRow extends OutboundCall {
  effect: RecordEffect & { sequence: number }
  state: OutboxState
  attempts: readonly OutboxAttempt[]
  /** How many attempts were made before the row was last requeued: they do not count any more. */
  priorAttempts: number
  /** Null unless it is pending. */
  nextAttemptAt: string | null
  /** Why it is dead, or waits longer than its schedule; null otherwise. */
  problem: OutboxProblem | null
  resolution: OutboxResolution | null
  /** Its record was erased while a worker had claimed it: what the worker reports can contain a value. */
  isErased?: true
}

export interface OutboxFilter {
  states?: readonly OutboxState[] | undefined
  credential?: string | undefined
  /** `<object>/<id>` */
  record?: string | undefined
  correlationId?: string | undefined
  /** Whether an attempt of it has failed. */
  hasFailed?: boolean | undefined
  /** Rows of effects from this instant on, and before this one. */
  since?: string | undefined
  until?: string | undefined
}

export interface OutboxRange {
  /** Sequence numbers of effects. */
  after: number
  upTo: number
  limit: number
}

export interface OutboxFacts {
  counts: Record<OutboxState, number>
  /** When the oldest row that is pending or being sent was left; null without one. */
  oldestAt: string | null
}

export interface ClaimRequest {
  now: string
  /** Until when the claim holds without another sign of its holder. */
  until: string
  token: string
  limit: number
  /** Most rows that are claimed or already claimed for one credential; by its key. */
  limits: ReadonlyMap<string, number>
  defaultLimit: number
}

export interface OutboxReader {
  outboxRow(id: string): Promise<OutboxRow | undefined>
  /** The newest first; only those whose effects have a smaller sequence number, if one is given. */
  outboxRows(filter: OutboxFilter, limit: number, before?: number): Promise<OutboxRow[]>
  /** The oldest first: those whose effects have a larger sequence number, up to another one. */
  outboxAfter(filter: OutboxFilter, range: OutboxRange): Promise<OutboxRow[]>
  /** What metrics show. Reads indexes alone. */
  outboxFacts(): Promise<OutboxFacts>
  /** What processes know together of all named credentials. */
  limits(kind: LimitCell['kind']): Promise<{ credential: string; text: string }[]>
  countOutbox(filter: OutboxFilter): Promise<Record<OutboxState, number>>
  /** When the next row is due that no older one of its record and credential holds up; null without one. */
  nextOutboxAt(): Promise<string | null>
}

/** What all processes know together of a named credential: see `CalloutLimits`. */
export interface StoredLimit {
  version: number
  text: string | null
}

export interface OutboxTransactor extends OutboxReader {
  limit(cell: LimitCell): Promise<StoredLimit>
  /** Returns whether the version was the stored one, and the text was written. */
  swapLimit(cell: LimitCell, version: number, text: string): Promise<boolean>
  /**
   * Claims rows that are due, the oldest first. Of one record and credential only the oldest open row is due.
   */
  claimOutbox(request: ClaimRequest): Promise<OutboxRow[]>
  /** Pending rows of a credential that wait for a reason with this code, the oldest first. */
  waitingOutbox(wait: { credential: string; code: string; now: string }, limit: number): Promise<OutboxRow[]>
  /** Rows whose claim has ended without a result. */
  lapsedOutbox(now: string): Promise<OutboxRow[]>
  /** The token of the claim of a row; null if it is not claimed. */
  outboxClaim(id: string): Promise<string | null>
  /** Lets claims with a token hold until a later time. */
  extendOutbox(ids: readonly string[], token: string, until: string): Promise<void>
  /** Returns false, without writing, if the row has a different claim. @param token null for a row that is not claimed */
  putOutbox(row: OutboxRow, token: string | null): Promise<boolean>
  /** Removes the row and its effect. Returns false, without writing, if the row has a different claim. */
  removeOutbox(id: string, token: string | null): Promise<boolean>
  /**
   * Looks at closed rows in the order of their sequences, and removes those that were closed before an instant.
   * @returns the last sequence that was looked at; null without more rows
   */
  purgeOutbox(
    before: string,
    range: { after: number; limit: number },
  ): Promise<{ removed: number; last: number | null }>
}
