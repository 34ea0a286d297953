// The execution trace as a part of the records: written next to saves, in the thread that writes them.
import type { Org, WriteRunner } from '../pipeline/index.ts'
import type { RecordStore } from '../ports/record-store.ts'
import type { NewTraceEvent, TraceEvent } from '../ports/trace.ts'
import type { RecordCommand, RecordReply } from '../records/index.ts'
import { createTraceBuffer, type TraceBuffer } from '../trace/index.ts'

export interface RecordTrace extends TraceBuffer {
  /** Removes the oldest events from before an instant, up to a number. Returns how many. */
  purge(before: string, limit: number): Promise<number>
  /** The listener receives why events could not be written. */
  followErrors(listener: (error: unknown) => void): void
  /** Notes a save that left work for after its commit. */
  noteSave(command: RecordCommand, saved: { reply: RecordReply; at: string; durationMs: number }): void
}

interface PurgeRequest {
  before: string
  limit: number
}

/** What the thread that writes records can be asked. */
export const traceVerbs = (store: () => RecordStore) => ({
  append: (events: readonly TraceEvent[]): Promise<void> => store().write((tx) => tx.appendTrace(events)),
  purge: ({ before, limit }: PurgeRequest): Promise<number> =>
    store().write((tx) => tx.purgeTrace(before, limit)),
})

type Verbs = ReturnType<typeof traceVerbs>

export function recordTrace(
  { clock, ids }: Pick<Org, 'clock' | 'ids'>,
  queue: WriteRunner,
  call: <V extends keyof Verbs>(verb: V, request: Parameters<Verbs[V]>[0]) => ReturnType<Verbs[V]>,
): RecordTrace {
  let onError = (_error: unknown): void => undefined
  const buffer = createTraceBuffer({
    write: (events) => queue.run(() => call('append', events)),
    ...{ clock, ids, onError: (error) => onError(error) },
  })
  return {
    ...buffer,
    purge: (before, limit) => queue.run(() => call('purge', { before, limit })),
    followErrors: (listener) => void (onError = listener),
    noteSave: (command, saved) => buffer.note(saveEvent(command, saved)),
  }
}

function saveEvent(
  command: RecordCommand,
  { reply, at, durationMs }: { reply: RecordReply; at: string; durationMs: number },
): NewTraceEvent {
  const { user, correlationId, client = null } = command
  const { generation } = 'generation' in reply ? reply : command
  const items = 'items' in command ? command.items : []
  const ingest = 'ingest' in command ? command.ingest : undefined
  const count = 'ingest' in command ? command.rows.count : items.length
  const [first] = 'results' in reply ? reply.results : []
  const isOne = items.length === 1 && first?.ok === true
  return {
    ...{ at, kind: 'save', correlationId, subject: null, actor: user, isFailed: false, durationMs },
    record: isOne ? `${items[0]!.object}/${first.id}` : null,
    facts: {
      ...{ generation, client, items: count },
      objects: [...new Set(items.map(({ object }) => object))].slice(0, maxObjects),
      operation: 'operation' in command && ingest === undefined ? command.operation : null,
      ...(ingest === undefined ? {} : { ingest }),
    },
  }
}

const maxObjects = 20
