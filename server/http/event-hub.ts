// Sends events to open studios: a new generation, a changed draft, change request or remote.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { PrincipalFeedEvent } from '../access/index.ts'
import type { RemoteEvent } from '../remotes/index.ts'
import type { ChangeRequestFeedEvent } from '../requests/index.ts'

export type StudioEvent =
  | { event: 'generation'; data: { generation: number; actor: string } }
  | { event: 'draft'; data: { id: string; version: number; author: string } }
  | { event: 'change-request'; data: ChangeRequestFeedEvent }
  | { event: 'remote'; data: RemoteEvent }
  | { event: 'ingest'; data: { id: string; createdBy: string } }
  | { event: 'record-job'; data: { id: string; state: string; done: number; total: number | null } }
  | { event: 'people'; data: PrincipalFeedEvent }
  /** Records of an object changed. */
  | { event: 'records'; data: { object: string } }

export interface EventHub {
  publish(event: StudioEvent): void
  /**
   * Registers one event stream of a user. Returns a function that releases it.
   * @throws AlmanacError limit.busy
   */
  openStream(user: string, of: StreamKind): () => void
  /** Returns a function that stops listening. */
  subscribe(listener: (event: StudioEvent) => void): () => void
  /** Ends every stream. */
  close(): void
  /** Calls back when it closes, or soon if it has closed. */
  onClose(end: () => void): () => void
}

export type StreamKind = keyof typeof maxStreams

/** Maximum number of open event streams of one user: those of studios cost work at every event. */
export const maxStreams = { studio: 50, channel: 2000 } as const

export function createEventHub(): EventHub {
  const streams = new Map<string, number>()
  const listeners = new Set<(event: StudioEvent) => void>()
  const ends = new Set<() => void>()
  let isClosed = false
  const member = <T>(set: Set<T>, item: T): (() => void) => {
    set.add(item)
    return () => void set.delete(item)
  }
  return {
    publish: (event) => {
      for (const listener of listeners) listener(event)
    },
    openStream: (user, of) => {
      const place = `${of} ${user}`
      const count = streams.get(place) ?? 0
      if (count >= maxStreams[of])
        throw new AlmanacError(
          'limit.busy',
          `${user} already has ${count} event streams open. Close one of them.`,
          { retryAfter: 60 },
        )
      streams.set(place, count + 1)
      return () => {
        const left = streams.get(place)! - 1
        if (left === 0) streams.delete(place)
        else streams.set(place, left)
      }
    },
    subscribe: (listener) => member(listeners, listener),
    close: () => {
      isClosed = true
      for (const end of [...ends]) end()
    },
    onClose: (end) => {
      if (isClosed) queueMicrotask(end)
      return member(ends, end)
    },
  }
}
