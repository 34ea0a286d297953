// Exports spans in batches. Nothing waits for it: what finds no place in the queue is dropped and counted, and a collector
// that does not answer is asked less and less often.
import type { Randomness } from '../ports/randomness.ts'
import type { Span, Spans } from '../ports/spans.ts'
import type { IdentifiedSpan } from './otlp-json.ts'

/** What became of a batch. `retry` is worth another attempt, after the milliseconds that the collector asked for. */
export type ExportResult =
  { kind: 'accepted'; rejected: number } | { kind: 'refused' | 'retry'; reason: string; afterMs?: number }

export interface OtlpCounts {
  read(): { queued: number; exported: number; dropped: number; rejected: number; failures: number }
}

export interface SpanExporter extends Spans, OtlpCounts {
  /** Sends what waits, for at most some seconds; the rest is dropped. */
  close(): Promise<void>
}

export interface ExporterDeps {
  send(spans: readonly IdentifiedSpan[]): Promise<ExportResult>
  random: Randomness
  /** Called at the first of several failures, with the reason. */
  onFailure(reason: string): void
}

const mostQueued = 8192
const batchSize = 256
/** How long a span waits for others, in milliseconds. */
const waitMs = 1000
const backoffMs = { first: 1000, longest: 60_000 }
/** How long a closing server waits for its collector, in milliseconds. */
const closingMs = 3000
/** Correlation ids whose request is known as the parent of later spans. */
const mostParents = 10_000

export function createSpanExporter({ send, random, onFailure }: ExporterDeps): SpanExporter {
  let queue: IdentifiedSpan[] = []
  let [exported, dropped, rejected, failures] = [0, 0, 0, 0]
  let timer: NodeJS.Timeout | null = null
  let sending: Promise<void> | null = null
  /** Failures since the last success. */
  let failed = 0
  let isClosed = false
  const parents = new Map<string, string>()

  const newId = (): string => Buffer.from(random.bytes(8)).toString('hex')
  const schedule = (ms: number): void => {
    if (isClosed) return
    timer ??= setTimeout(() => {
      timer = null
      void flush()
    }, ms).unref()
  }
  const fail = (reason: string): void => {
    failures += 1
    failed += 1
    if (failed === 1) onFailure(reason)
  }
  /** Returns the milliseconds until the next batch can be sent; 0 for at once. */
  const sendBatch = async (): Promise<number> => {
    const batch = queue.slice(0, batchSize)
    const result = await send(batch).catch((error: unknown): ExportResult => ({
      kind: 'refused',
      reason: error instanceof Error ? error.name : 'unknown',
    }))
    if (result.kind === 'retry') {
      fail(result.reason)
      const ms = Math.min(backoffMs.first * 2 ** (failed - 1), backoffMs.longest)
      return Math.min(Math.max(ms, result.afterMs ?? 0), backoffMs.longest)
    }
    queue = queue.slice(batch.length)
    if (result.kind === 'accepted') {
      failed = 0
      rejected += result.rejected
      exported += batch.length - result.rejected
      return 0
    }
    // Sent again, it would be refused again.
    fail(result.reason)
    dropped += batch.length
    return 0
  }
  const sendAll = async (): Promise<void> => {
    while (queue.length > 0) {
      const ms = await sendBatch()
      if (ms > 0) return schedule(ms)
    }
  }
  const flush = (): Promise<void> => (sending ??= sendAll().finally(() => (sending = null)))
  return {
    begin: (correlationId) => {
      const id = newId()
      parents.delete(correlationId)
      parents.set(correlationId, id)
      if (parents.size > mostParents) parents.delete(parents.keys().next().value!)
      return id
    },
    note: (span: Span) => {
      if (isClosed || queue.length >= mostQueued) return void (dropped += 1)
      const { id } = span
      const parentId = id === undefined ? (parents.get(span.correlationId) ?? null) : null
      queue.push({ ...span, id: id ?? newId(), parentId })
      // While a collector fails, its own timer decides.
      if (queue.length >= batchSize && failed === 0) void flush().then(afterFlush)
      else schedule(waitMs)
    },
    read: () => ({ queued: queue.length, exported, dropped, rejected, failures }),
    close: async () => {
      isClosed = true
      if (timer !== null) clearTimeout(timer)
      let late: NodeJS.Timeout | null = null
      const end = new Promise<void>((resolve) => (late = setTimeout(resolve, closingMs)))
      await Promise.race([(sending ?? Promise.resolve()).then(flush), end])
      clearTimeout(late!)
      dropped += queue.length
      queue = []
    },
  }
  /** What was noted during a flush waits for the next one. */
  function afterFlush(): void {
    if (queue.length > 0) schedule(waitMs)
  }
}
