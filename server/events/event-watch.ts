// Wakes streams whose channels can have new events.
import type { ChannelId } from '#kernel/events/index.ts'

export interface EventWatch {
  /** Returns a function that stops watching. */
  watch(channel: ChannelId, onEvents: () => void): () => void
  tell(channels: readonly ChannelId[]): void
  close(): Promise<void>
}

export interface EventWatchParts {
  /** How far each channel is, as text; in one consistent state. */
  headsOf(channels: readonly ChannelId[]): Promise<ReadonlyMap<ChannelId, string>>
  onError(error: unknown): void
}

/** Events of other processes are found by looking: they arrive later by this at most, in milliseconds. */
const lookMs = 250

export function createEventWatch({ headsOf, onError }: EventWatchParts): EventWatch {
  const listeners = new Map<ChannelId, Set<() => void>>()
  let known: ReadonlyMap<ChannelId, string> = new Map()
  const call = (channel: ChannelId): void => {
    for (const listener of listeners.get(channel) ?? []) listener()
  }
  const look = async (): Promise<void> => {
    const heads = await headsOf([...listeners.keys()])
    const before = known
    known = heads
    for (const [channel, head] of heads) if (before.get(channel) !== head) call(channel)
  }
  let looking: Promise<void> | null = null
  const timer = setInterval(() => {
    if (listeners.size === 0) return
    looking ??= look()
      .catch(onError)
      .finally(() => (looking = null))
  }, lookMs).unref()
  return {
    watch: (channel, onEvents) => {
      let own = listeners.get(channel)
      if (own === undefined) listeners.set(channel, (own = new Set()))
      own.add(onEvents)
      return () => {
        own.delete(onEvents)
        if (own.size === 0 && listeners.get(channel) === own) listeners.delete(channel)
      }
    },
    tell: (channels) => channels.forEach(call),
    close: async () => {
      clearInterval(timer)
      await looking
    },
  }
}
