// Events that wait to be written to the execution trace: those of about a second are written in one transaction, so that
// nothing waits for the trace. What waits is lost if the process is killed (docs/reference/operations.md).
import type { Clock, IdGenerator } from '../ports/clock.ts'
import type { NewTraceEvent, TraceEvent } from '../ports/trace.ts'

export interface TraceBuffer {
  /** Never waits, and never fails. */
  note(event: NewTraceEvent): void
  /** How many events were lost since the start, because they could not be written. */
  lost(): number
  /** Resolves once everything that was noted until now is written, or cannot be. */
  flush(): Promise<void>
}

export interface TraceBufferDeps {
  write(events: readonly TraceEvent[]): Promise<void>
  clock: Clock
  ids: IdGenerator
  onError(error: unknown): void
}

/** How long an event waits at most, in milliseconds; after a failed write, longer. */
const flushMs = { first: 1000, afterFailure: 5000 }
/** Events of one transaction: a save waits for it. */
const maxBatch = 500
/** What waits while nothing can be written; later events are lost. */
const maxWaiting = 10_000

export function createTraceBuffer({ write, clock, ids, onError }: TraceBufferDeps): TraceBuffer {
  let waiting: TraceEvent[] = []
  /** Lost since the last write, and since the start. */
  let [unreported, total] = [0, 0]
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> | null = null

  const lose = (count: number): void => {
    unreported += count
    total += count
  }
  const schedule = (ms: number): void => {
    timer ??= setTimeout(() => {
      timer = null
      void flush()
    }, ms).unref()
  }
  const add = (event: NewTraceEvent): void => {
    if (waiting.length >= maxWaiting) lose(1)
    else waiting.push({ ...event, id: ids.uuid() })
  }
  const writeAll = async (): Promise<void> => {
    const reported = unreported
    if (reported > 0 && waiting.length < maxWaiting) {
      add(lostEvents(clock.now(), reported))
      unreported -= reported
    }
    // What is noted in the meantime waits for the next timer, or until it fills a transaction: small ones would follow
    // each other without a pause.
    let due = waiting.length
    while (due > 0 || waiting.length >= maxBatch) {
      const batch = waiting.slice(0, maxBatch)
      try {
        await write(batch)
      } catch (error) {
        onError(error)
        schedule(flushMs.afterFailure)
        return
      }
      waiting = waiting.slice(batch.length)
      due -= batch.length
    }
  }
  const flush = async (): Promise<void> => {
    // What was noted since the running write began is in the next one.
    if (writing !== null) await writing
    writing ??= writeAll().finally(() => (writing = null))
    await writing
  }
  return {
    note: (event) => {
      add(event)
      schedule(flushMs.first)
    },
    lost: () => total,
    flush,
  }
}

const lostEvents = (at: string, events: number): NewTraceEvent => ({
  ...{ at, kind: 'lost', correlationId: null, subject: null, record: null, actor: null },
  ...{ isFailed: true, durationMs: null, facts: { events } },
})
