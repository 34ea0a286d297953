// A delivery to a webhook endpoint, and what of its body a user sees.
import type { OutboxProblemView } from './outbox.ts'

export interface VerificationStepView {
  step: 'signature_header' | 'timestamp' | 'id' | 'age' | 'signature'
  isPassed: boolean
  detail: string
}

export interface DeliveryView {
  id: string
  /** Key of the endpoint now, or the last one that it had. */
  endpoint: string
  state: 'pending' | 'held' | 'dispatching' | 'dispatched' | 'dead' | 'discarded'
  receivedAt: string
  correlationId: string
  /** As the sender names it. */
  senderId: string | null
  mediaType: string | null
  bytes: number
  /** The user who has sent it as a test; null for a delivery of the sender. */
  testedBy: string | null
  attempts: { n: number; at: string; durationMs: number | null; error: OutboxProblemView | null }[]
  /** How many of them were made before it was last requeued. */
  priorAttempts: number
  nextAttemptAt: string | null
  problem: OutboxProblemView | null
  resolution: { at: string; by: string; reason: string } | null
  dispatchedAt: string | null
  result: {
    record: string | null
    outcome: 'created' | 'changed' | 'unchanged' | null
    operation: string | null
    event: string | null
  } | null
}

/** A value of the body that the endpoint takes. */
export interface DeliveredValueView {
  /** Of the field or parameter. */
  name: string
  /** JSON pointer into the body. */
  pointer: string
  state: 'shown' | 'hidden' | 'absent'
  /** As JSON, shortened if it is long; null unless it is shown. */
  text: string | null
}

export interface DeliveryContentView {
  /** By name, as the endpoint takes them now; those that the user cannot read are hidden. */
  values: DeliveredValueView[]
  /** Why the body has no values; null if it has. */
  problem: string | null
}

export interface DeliveryDetailView extends DeliveryView {
  /** How it was verified, in order. */
  steps: VerificationStepView[]
  content: DeliveryContentView
}
