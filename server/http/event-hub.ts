// News for open studios: a new generation, a draft, change request or remote that moved (HTTP surface: server-sent events).
import type { PeopleNews } from '../access/index.ts'
import type { RemoteNews } from '../remotes/index.ts'
import type { ChangeRequestNews } from '../requests/index.ts'

export type News =
  | { event: 'generation'; data: { generation: number; actor: string } }
  | { event: 'draft'; data: { id: string; version: number; author: string } }
  | { event: 'change-request'; data: ChangeRequestNews }
  | { event: 'remote'; data: RemoteNews }
  | { event: 'people'; data: PeopleNews }

export interface EventHub {
  tell(news: News): void
  /** Answers how to stop listening. */
  listen(listener: (news: News) => void): () => void
  /** Ends every stream. */
  close(): void
  onClose(end: () => void): () => void
}

export function createEventHub(): EventHub {
  const listeners = new Set<(news: News) => void>()
  const ends = new Set<() => void>()
  const member = <T>(set: Set<T>, item: T): (() => void) => {
    set.add(item)
    return () => void set.delete(item)
  }
  return {
    tell: (news) => {
      for (const listener of listeners) listener(news)
    },
    listen: (listener) => member(listeners, listener),
    close: () => {
      for (const end of [...ends]) end()
    },
    onClose: (end) => member(ends, end),
  }
}
