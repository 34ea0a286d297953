// The execution trace: what was done after saves and in calls, for 90 days. Events are only added, and removed when they
// are old.
import type { TraceFacts, TraceKind } from '#kernel/trace/index.ts'

/** What is known of every event. */
export interface TraceEnvelope {
  /** When it began. ISO 8601 instant in UTC. */
  at: string
  /** Of the request that led to it; null for what follows from none. */
  correlationId: string | null
  /** Id of the component that it concerns: `named_credential/bank`, `integration_client/shop`. */
  subject: string | null
  /** `<object>/<id>` */
  record: string | null
  /** Key of the user. */
  actor: string | null
  isFailed: boolean
  /** How long it took, in milliseconds; null for a moment. */
  durationMs: number | null
}

/** An event of a kind, with the facts of that kind. */
export type TraceEventOf<K extends TraceKind> = TraceEnvelope & { kind: K; facts: TraceFacts<K> }
export type NewTraceEvent = { [K in TraceKind]: TraceEventOf<K> }[TraceKind]
/** The id distinguishes events of the same instant; ids grow with time. */
export type TraceEvent = NewTraceEvent & { id: string }

export interface TraceFilter {
  kinds?: readonly TraceKind[] | undefined
  correlationId?: string | undefined
  subject?: string | undefined
  record?: string | undefined
  isFailed?: boolean | undefined
  /** Events that began at this instant or later, and before that one. */
  since?: string | undefined
  until?: string | undefined
}

/** Of an event in its order. */
export interface TracePlace {
  at: string
  id: string
}

export interface TraceReader {
  /** The newest first; only those before a place, if one is given. */
  trace(filter: TraceFilter, limit: number, before?: TracePlace): Promise<TraceEvent[]>
}

export interface TraceTransactor extends TraceReader {
  appendTrace(events: readonly TraceEvent[]): Promise<void>
  /** Removes the oldest events that began before an instant. Returns how many; fewer than the limit if none is left. */
  purgeTrace(before: string, limit: number): Promise<number>
}
