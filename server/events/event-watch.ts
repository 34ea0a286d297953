// Wakes streams whose channels can have new events.
import type { ChannelId } from '#kernel/events/index.ts'

export interface EventWatch {
  /** Returns a function that stops watching. */
  watch(onEvents: () => void): () => void
  tell(channels: readonly ChannelId[]): void
  close(): void
}

/** Events of other processes are found by looking, so that a hint that is lost delays an event by this at most. */
const lookMs = 250

export function createEventWatch(): EventWatch {
  const listeners = new Set<() => void>()
  const call = (): void => {
    for (const listener of listeners) listener()
  }
  const timer = setInterval(call, lookMs).unref()
  return {
    watch: (onEvents) => {
      listeners.add(onEvents)
      return () => void listeners.delete(onEvents)
    },
    tell: (channels) => {
      if (channels.length > 0) call()
    },
    close: () => clearInterval(timer),
  }
}
