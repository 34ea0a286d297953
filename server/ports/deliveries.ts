// Deliveries to webhook endpoints: each is stored before it is acknowledged, and dispatched afterwards.
import type { VerificationStep } from '#kernel/webhooks/index.ts'
import type { OutboxProblem } from './outbox.ts'

/**
 * `pending` waits for its next attempt; `held` waits for the user that it runs as; `dispatching` is claimed by a worker;
 * `dead` has failed for good; `discarded` was dead, and a user has dealt with it.
 */
export type DeliveryState = 'pending' | 'held' | 'dispatching' | 'dispatched' | 'dead' | 'discarded'

export interface DeliveryAttempt {
  /** From 1. */
  n: number
  at: string
  /** In milliseconds; null if the process ended in its middle. */
  durationMs: number | null
  /** Null if it succeeded. */
  error: OutboxProblem | null
}

/** What a dispatch has left. */
export interface DeliveryResult {
  /** `<object>/<id>`; null unless a record was written. */
  record: string | null
  /** What became of the record. */
  outcome: 'created' | 'changed' | 'unchanged' | null
  /** Key of the automation; null unless one was called. */
  operation: string | null
  /** Id of the event; null unless one was published. */
  event: string | null
}

export interface Delivery {
  id: string
  /** Identity of the webhook endpoint, which a rename keeps. */
  endpoint: string
  /** Its key when the delivery was received. */
  endpointKey: string
  state: DeliveryState
  receivedAt: string
  correlationId: string
  /** As the sender names it; null for none. */
  senderId: string | null
  mediaType: string | null
  /** Of the body. */
  bytes: number
  steps: readonly VerificationStep[]
  /** The user who has sent it as a test; null for a delivery of the sender. */
  testedBy: string | null
  attempts: readonly DeliveryAttempt[]
  /** How many of them were made before it was last requeued: they do not count any more. */
  priorAttempts: number
  /** Null unless it is pending. */
  nextAttemptAt: string | null
  /** Why it is dead or held, or waits for another attempt; null otherwise. */
  problem: OutboxProblem | null
  resolution: { at: string; by: string; reason: string } | null
  dispatchedAt: string | null
  result: DeliveryResult | null
  /** The operation that it has called, while its callouts are made; null for none. */
  run: string | null
  /** Whether a callout may be repeated whose outcome is not known. */
  acceptsRepeat: boolean
}

export interface NewDelivery {
  delivery: Delivery
  body: Uint8Array
  /** By which a repeated delivery is recognised: hexadecimal digests. */
  keys: readonly string[]
  /** Until when they are kept. */
  keptUntil: string
}

export interface DeliveryFilter {
  states?: readonly DeliveryState[] | undefined
  /** Identity. */
  endpoint?: string | undefined
  correlationId?: string | undefined
  /** Whether an attempt of it has failed. */
  hasFailed?: boolean | undefined
  /** Received from this instant on, and before this one. */
  since?: string | undefined
  until?: string | undefined
}

export interface DeliveryRange {
  /** Ids. */
  after: string
  upTo: string
  limit: number
}

export interface DeliveryClaim {
  now: string
  /** Until when the claim holds without another sign of its holder. */
  until: string
  token: string
  limit: number
  /** Most deliveries that are claimed or already claimed for one endpoint. */
  perEndpoint: number
}

export type DeliveryCounts = Record<DeliveryState, number>

/** More are not counted. */
export const mostCountedDeliveries = 10_000

export interface DeliveryReader {
  delivery(id: string): Promise<Delivery | undefined>
  /** As it was received; undefined once it is purged. */
  deliveryBody(id: string): Promise<Uint8Array | undefined>
  /** The newest first; only those with a smaller id, if one is given. */
  deliveries(filter: DeliveryFilter, limit: number, before?: string): Promise<Delivery[]>
  /** The oldest first. */
  deliveriesAfter(filter: DeliveryFilter, range: DeliveryRange): Promise<Delivery[]>
  /** For each state, up to `mostCountedDeliveries`. */
  countDeliveries(filter: DeliveryFilter): Promise<DeliveryCounts>
  /** When the next one is due, or the claim of one ends; null without one. */
  nextDeliveryAt(): Promise<string | null>
  /** The endpoints with held deliveries. */
  heldEndpoints(): Promise<string[]>
}

export interface DeliveryTransactor extends DeliveryReader {
  /** Stores a delivery, unless one of its keys is known. Returns the id of the known one; null if it was stored. */
  addDelivery(delivery: NewDelivery, now: string): Promise<string | null>
  /** Claims deliveries that are due, the oldest first. */
  claimDeliveries(request: DeliveryClaim): Promise<Delivery[]>
  /** Deliveries whose claim has ended without a result. */
  lapsedDeliveries(now: string): Promise<Delivery[]>
  /** The token of the claim of a delivery; null if it is not claimed. */
  deliveryClaim(id: string): Promise<string | null>
  /** Lets a claim hold until a later time. Returns false, without writing, if it has a different claim. */
  extendDelivery(id: string, token: string, until: string): Promise<boolean>
  /** Returns false, without writing, if it has a different claim. @param token null for one that is not claimed */
  putDelivery(delivery: Delivery, token: string | null): Promise<boolean>
  /** Makes held deliveries of an endpoint pending. Returns how many. */
  releaseDeliveries(endpoint: string, at: string, limit: number): Promise<number>
  /** Removes deliveries that were dispatched or discarded before an instant. Returns how many. */
  purgeDeliveries(before: string, limit: number): Promise<number>
  /** Removes keys whose time has ended. Returns how many. */
  purgeDeliveryKeys(now: string, limit: number): Promise<number>
  /**
   * Rewrites bodies and messages: those of the records, and those of which no record is known.
   * @param rewrite returns what is stored in place of a text
   */
  rewriteDeliveries(records: ReadonlySet<string>, rewrite: DeliveryRewrite): Promise<void>
}

export interface DeliveryRewrite {
  body(text: string, isOfRecord: boolean): string
  message(text: string): string
}
