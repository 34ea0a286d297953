// Events of change requests, read from their history, including those of another process.
import type { ChangeRequestState } from '#kernel/requests/index.ts'
import type { OrgStore } from '../ports/org-store.ts'

export interface ChangeRequestFeedEvent {
  id: string
  state: ChangeRequestState
  digest: string
  actor: string
}

export interface ChangeRequestFeed {
  /** Reports what happened since the last call. Cheap if nothing did. */
  poll(): void
  /** Returns a function that removes the listener. */
  onEvent(listener: (event: ChangeRequestFeedEvent) => void): () => void
}

export function createChangeRequestFeed({ read }: Pick<OrgStore, 'read'>): ChangeRequestFeed {
  const listeners = new Set<(event: ChangeRequestFeedEvent) => void>()
  let lastSeq: number | null = null
  return {
    poll: () => {
      if (listeners.size === 0 || lastSeq === null) return
      const since = lastSeq
      const events = read((reader) =>
        reader.requests.lastEventSeq() === since ? [] : reader.requests.eventsAfter(since),
      )
      for (const { seq, request, state, digest, actor } of events) {
        lastSeq = seq
        for (const listener of [...listeners]) listener({ id: request, state, digest, actor })
      }
    },
    onEvent: (listener) => {
      lastSeq ??= read((reader) => reader.requests.lastEventSeq())
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
