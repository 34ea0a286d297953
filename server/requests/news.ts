// Events of change requests, read from their history, including those of a different process.
import type { ChangeRequestState } from '#kernel/requests/index.ts'
import type { OrgStore } from '../ports/org-store.ts'

export interface ChangeRequestNews {
  id: string
  state: ChangeRequestState
  digest: string
  actor: string
}

export interface Newsroom {
  /** Reports what happened since the last call. Cheap if nothing did. */
  follow(): void
  /** Returns a function that removes the listener. */
  onNews(listener: (news: ChangeRequestNews) => void): () => void
}

export function newsOver({ read }: Pick<OrgStore, 'read'>): Newsroom {
  const listeners = new Set<(news: ChangeRequestNews) => void>()
  let told: number | null = null
  return {
    follow: () => {
      if (listeners.size === 0 || told === null) return
      const since = told
      const events = read((reader) =>
        reader.lastChangeRequestEvent() === since ? [] : reader.changeRequestEventsAfter(since),
      )
      for (const { seq, request, state, digest, actor } of events) {
        told = seq
        for (const listener of [...listeners]) listener({ id: request, state, digest, actor })
      }
    },
    onNews: (listener) => {
      told ??= read((reader) => reader.lastChangeRequestEvent())
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
