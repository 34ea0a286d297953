// What the execution trace contains, one declaration for each kind of event (docs/reference/operations.md). Facts are keys,
// ids, codes, numbers and instants: no value of a record, no secret, no part of a request or a response. A new kind is one
// declaration here and one call of `note` of the trace; studio and API show it without further changes.
import { z } from 'zod'

const key = z.string().max(200)
const instant = z.string().max(40)
const code = z.string().max(80)
const count = z.int().min(0)

/** A call in the outbox. */
const outboxCall = {
  call: z.string().max(80).meta({ description: 'The id of the row in the outbox.' }),
  ...{ automation: key, action: key, generation: count },
  method: z.string().max(10).nullable(),
  operation: key.nullable().meta({ description: 'Of an external service; null for a call with a path.' }),
  enqueuedAt: instant,
}

const sent = {
  endpoint: z.string().max(2000).meta({
    description: 'The URL without its query, with the names of parameters in place of their values.',
  }),
  status: z.int().nullable().meta({ description: 'Of the response; null without one.' }),
}

const ended = z.object({ ...sent, n: count, at: instant, latencyMs: z.number(), code: code.nullable() })

/** A delivery to a webhook endpoint. */
const received = { delivery: z.string().max(80) }

/** Upper bounds of the classes of latency, in milliseconds; the last class has none. */
export const latencyBounds = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000] as const

export const traceKinds = {
  /** A save or a call of an operation that left work for after its commit. */
  save: z.object({
    ...{ generation: count, items: count, client: key.nullable() },
    objects: z.array(key).max(20),
    operation: key.nullable(),
    ingest: key.optional().meta({ description: 'The id of the bulk job whose rows it saves.' }),
  }),
  /** A bulk job that was closed, or has ended: when it was closed, and how long it took since then. */
  ingest: z.object({
    ...{ ingest: key, operation: z.string().max(20), client: key.nullable() },
    state: z.enum(['queued', 'completed', 'failed', 'aborted']),
    ...{ rows: count, created: count, changed: count, unchanged: count, deleted: count, failed: count },
    code: code.nullable().meta({ description: 'Why it ended early.' }),
  }),
  /** An attempt of a call in the outbox that failed. */
  attempt: z.object({ ...outboxCall, ...sent, n: count, code, nextAt: instant.nullable() }),
  /** A call in the outbox that its target has acknowledged. The row is removed. */
  delivery: z.object({ ...outboxCall, ...sent, attempts: count }),
  /** A call in the outbox that has failed for good. */
  dead: z.object({ ...outboxCall, attempts: count, code }),
  /** A call in the outbox that waits without an attempt, such as for a circuit breaker. */
  held: z.object({ ...outboxCall, code, until: instant }),
  /** A dead call that a user has sent again or has closed. */
  handled: z.object({ call: z.string().max(80), as: z.enum(['requeued', 'resolved', 'discarded']) }),
  /** A call of an operation that waits for it, with its attempts. */
  callout: z.object({
    ...{ method: z.string().max(10), endpoint: sent.endpoint, status: sent.status },
    ...{ automation: key.nullable(), action: key.nullable() },
    attempts: z.array(ended).max(20),
    code: code.nullable().meta({ description: 'Of the error; null if it succeeded.' }),
  }),
  /** A change of a circuit breaker. */
  breaker: z.object({
    ...{ from: z.string().max(20), to: z.string().max(20), cause: z.string().max(20) },
  }),
  /** A request for an access token. */
  token: z.object({
    ...{ principal: key, user: key.nullable() },
    result: z.enum(['issued', 'revoked', 'refused', 'passing']),
  }),
  /** The latencies of the attempts of a named credential within a time. */
  latency: z.object({
    ...{ until: instant, sumMs: z.number() },
    counts: z.array(count).length(latencyBounds.length + 1),
    ...{ delivered: count, failed: count, unknown: count },
  }),
  /** The requests of a client within a time. */
  requests: z.object({ until: instant, requests: count, throttled: count, failed: count }),
  /** A request of a client that exceeded a limit. More within the same minute are only counted. */
  throttle: z.object({ code }),
  /** A delivery to a webhook endpoint that was dispatched; it began when it was received. */
  receipt: z.object({ ...received, attempts: count, operation: key.nullable(), event: key.nullable() }),
  /** An attempt to dispatch a delivery that failed. */
  receipt_attempt: z.object({ ...received, n: count, code, nextAt: instant.nullable() }),
  /** A delivery that has failed for good. */
  receipt_dead: z.object({ ...received, attempts: count, code }),
  /** A delivery that waits for the user that its endpoint runs as. */
  receipt_held: z.object({ ...received, code }),
  /** A delivery that a user has requeued or discarded. */
  receipt_handled: z.object({ ...received, as: z.enum(['requeued', 'discarded']) }),
  /** A request to a webhook endpoint that was refused. More within the same minute are only counted. */
  refusal: z.object({
    code,
    steps: z
      .array(z.object({ step: z.string().max(40), isPassed: z.boolean(), detail: z.string().max(600) }))
      .max(10),
  }),
  /** The requests to a webhook endpoint that were refused within a time. */
  refusals: z.object({ until: instant, refused: count }),
  /** A subscription to a channel that is behind it: by how many events, and since when. Once a minute. */
  lag: z.object({ ...{ subscription: key, owner: key }, lag: count, since: instant.nullable() }),
  /** Events that could not be stored. */
  lost: z.object({ events: count }),
} as const

export type TraceKind = keyof typeof traceKinds
export type TraceFacts<K extends TraceKind = TraceKind> = z.output<(typeof traceKinds)[K]>

export const traceKindNames = Object.keys(traceKinds) as [TraceKind, ...TraceKind[]]
