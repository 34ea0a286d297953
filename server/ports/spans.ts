// Spans for a collector of the operator: what took how long, under which correlation id. They contain keys, ids, codes,
// counts and times, as the execution trace does, and no value of a record, no secret and no body.

export type SpanKind = 'server' | 'client' | 'internal'

export type SpanAttributes = Readonly<Record<string, string | number | boolean | null>>

export interface Span {
  /** Of a small set: `GET /data/v3/{object}/{id}`, `save`. */
  name: string
  kind: SpanKind
  correlationId: string
  /** Milliseconds since 1970, with fractions. */
  startedAt: number
  durationMs: number
  isFailed: boolean
  /** Those that are null are left out. */
  attributes: SpanAttributes
  /** If it is a request, from `begin`. */
  id?: string | undefined
}

/** Its methods return at once, and throw nothing. */
export interface Spans {
  /** Returns the id of a span to which later ones of its correlation id belong. */
  begin(correlationId: string): string
  note(span: Span): void
}
