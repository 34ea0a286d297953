// A call in the outbox, without what it sends.

export interface OutboxProblemView {
  code: string
  class: string
  title: string
  detail: string
  origin: string
  retriable: boolean
  /** Since when the call waits because it cannot be authenticated; absent for other problems. */
  since?: string | undefined
}

export interface OutboxAttemptView {
  n: number
  at: string
  endpoint: string
  status: number | null
  latencyMs: number | null
  error: OutboxProblemView | null
}

export interface OutboxRowView {
  /** Also the key of the call, unless the action declares one. */
  id: string
  state: 'pending' | 'sending' | 'dead' | 'resolved' | 'discarded'
  credential: string
  correlationId: string
  method: string | null
  path: string | null
  operation: string | null
  automation: string
  action: string
  /** `<object>/<id>`; null for a call of an operation. */
  record: string | null
  /** Whether the automation waits for the result of the call, and goes on once it is delivered. */
  waits: boolean
  actor: string
  generation: number
  createdAt: string
  attempts: OutboxAttemptView[]
  /** How many of them were made before the row was last requeued. */
  priorAttempts: number
  nextAttemptAt: string | null
  problem: OutboxProblemView | null
  resolution: { at: string; by: string; reason: string } | null
}

/** A value that a call sends, or why it is not shown. */
export interface CallValueView {
  in: 'path' | 'query' | 'body' | 'argument' | 'key'
  /** Of the parameter or of the member of the body, as a JSON pointer if it is nested; empty for the key. */
  name: string
  /**
   * `shown`; `sensitive`: read from the record at each attempt, and not stored; `hidden`: it comes from values that the
   * user cannot see.
   */
  state: 'shown' | 'sensitive' | 'hidden'
  /** Null unless it is shown. */
  value: unknown
  /** Its expression; null if the value is hidden. */
  expression: string | null
}

export interface OutboxCallView extends OutboxRowView {
  content: CallValueView[]
}
