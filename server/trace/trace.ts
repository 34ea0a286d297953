// The execution trace for operators: events by correlation id, component, record, kind and time, newest first.
import type { TraceEvent, TraceFilter, TracePlace, TraceReader } from '../ports/trace.ts'

export interface Trace {
  list(filter: TraceFilter, page: { limit: number; before?: TracePlace | undefined }): Promise<TracePage>
}

export interface TracePage {
  events: TraceEvent[]
  /** After which the next page begins; null on the last one. */
  next: TracePlace | null
}

export interface TraceDeps {
  read<T>(work: (reader: TraceReader) => Promise<T>): Promise<T>
  /** Writes what waits, so that a request sees what happened before it. */
  flush(): Promise<void>
}

export function createTrace({ read, flush }: TraceDeps): Trace {
  return {
    list: async (filter, { limit, before }) => {
      await flush()
      const found = await read((reader) => reader.trace(filter, limit + 1, before))
      const events = found.slice(0, limit)
      const last = events.at(-1)
      return {
        events,
        next: found.length > limit && last !== undefined ? { at: last.at, id: last.id } : null,
      }
    },
  }
}
