// Sends a batch of spans to a collector, as OTLP/HTTP in JSON, and reads what became of it.
import { OutboundError, type Outbound, type OutboundResponse } from '../ports/outbound.ts'
import { exportRequest, type IdentifiedSpan, type Resource } from './otlp-json.ts'
import type { ExportResult } from './exporter.ts'

export interface CollectorDeps {
  outbound: Pick<Outbound, 'send'>
  url: string
  headers: Readonly<Record<string, string>>
  resource: Resource
  /** Of Almanac. */
  version: string
}

const limits = { connectMs: 5000, responseMs: 10_000, chunkMs: 5000, bodyMs: 5000, bytes: 64 * 1024 }

/** Worth another attempt (OTLP/HTTP, "Retryable Response Codes"). */
const retryable = new Set([429, 502, 503, 504])

export function createCollector({ outbound, url, headers, resource, version }: CollectorDeps) {
  return async (spans: readonly IdentifiedSpan[]): Promise<ExportResult> => {
    try {
      const response = await outbound.send({
        ...{ method: 'POST', url, limits },
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(exportRequest(spans, { resource, version })),
      })
      return resultOf(response, spans.length)
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      // A message could name the address.
      return { kind: 'retry', reason: error.kind }
    }
  }
}

function resultOf({ status, headers, text }: OutboundResponse, sent: number): ExportResult {
  if (status >= 200 && status < 300) return { kind: 'accepted', rejected: rejectedOf(text, sent) }
  const reason = `status ${status}`
  if (!retryable.has(status)) return { kind: 'refused', reason }
  const seconds = Number(headers['retry-after'] ?? '')
  return { kind: 'retry', reason, afterMs: Number.isFinite(seconds) ? seconds * 1000 : 0 }
}

/** Of a partial success. */
function rejectedOf(text: string, sent: number): number {
  try {
    const { partialSuccess } = JSON.parse(text) as { partialSuccess?: { rejectedSpans?: number | string } }
    const rejected = Number(partialSuccess?.rejectedSpans ?? 0)
    return Number.isInteger(rejected) ? Math.min(Math.max(rejected, 0), sent) : 0
  } catch {
    // Some collectors return no body, or one in another format.
    return 0
  }
}
