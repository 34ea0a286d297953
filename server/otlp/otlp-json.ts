// Spans as a request of OTLP/HTTP in JSON (https://opentelemetry.io/docs/specs/otlp/): ids in hexadecimal digits, 64-bit
// numbers as texts, enumerations as numbers.
import type { Span, SpanAttributes, SpanKind } from '../ports/spans.ts'
import { traceIdOf } from './trace-id.ts'

/** A span with its ids. */
export interface IdentifiedSpan extends Span {
  id: string
  parentId: string | null
}

/** What describes this server: `service.name` and others. */
export type Resource = SpanAttributes

const kinds = { internal: 1, server: 2, client: 3 } as const satisfies Record<SpanKind, number>
const failedStatus = 2
const longestText = 256

export function exportRequest(
  spans: readonly IdentifiedSpan[],
  { resource, version }: { resource: Resource; version: string },
): object {
  const scopeSpans = [{ scope: { name: 'almanac', version }, spans: spans.map(spanJson) }]
  return { resourceSpans: [{ resource: { attributes: attributesJson(resource) }, scopeSpans }] }
}

function spanJson(span: IdentifiedSpan): object {
  const { id, parentId, correlationId, name, kind, startedAt, durationMs, isFailed, attributes } = span
  return {
    traceId: traceIdOf(correlationId),
    spanId: id,
    ...(parentId === null ? {} : { parentSpanId: parentId }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(startedAt + Math.max(0, durationMs)),
    attributes: attributesJson({ ...attributes, 'almanac.correlation_id': correlationId }),
    ...(isFailed ? { status: { code: failedStatus } } : {}),
  }
}

/** As a text, because JSON numbers are not exact in this range. */
const nanoseconds = (ms: number): string => String(BigInt(Math.round(ms * 1000)) * 1000n)

function attributesJson(attributes: SpanAttributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === null ? [] : [{ key, value: valueJson(value) }],
  )
}

function valueJson(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value.slice(0, longestText) }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
