// Numbers the events that transactions have left. One drainer of an org works at a time; the others try again.
import type { ChannelId } from '#kernel/events/index.ts'
import type { DrainedChannel } from '../ports/events.ts'
import type { EventLogWrites } from './event-writes.ts'

export interface DrainerParts {
  writes: Pick<EventLogWrites, 'drain' | 'release'>
  /** Those of the active generation: the same map for the same channels. */
  channels(): ReadonlyMap<ChannelId, DrainedChannel>
  /** Whether anything waits, left by any process. */
  isWaiting(): Promise<boolean>
  newToken(): string
  /** Called with channels that have new events. */
  onEvents(channels: readonly ChannelId[]): void
  onError(error: unknown): void
}

export interface Drainer {
  /** There are new events, or new channels. */
  wake(): void
  close(): Promise<void>
}

/** Events in one transaction: other writers wait for it. */
const most = 1000

/** How soon it looks again after another drainer had the lease, and for what other processes have left, in milliseconds. */
const again = { lost: 50, look: 250, failed: 1000 } as const

export function createDrainer(parts: DrainerParts): Drainer {
  const { writes, channels, isWaiting, newToken, onEvents, onError } = parts
  let [token, isHolder] = [newToken(), false]
  let [isWanted, isClosed] = [false, false]
  let draining: Promise<void> | null = null
  let known: ReturnType<DrainerParts['channels']> | null = null
  let retry: NodeJS.Timeout | null = null

  const drain = async (): Promise<void> => {
    for (;;) {
      isWanted = false
      const present = channels()
      const hasOtherChannels = present !== known
      const outcome = await writes.drain({
        token,
        isHolder,
        limit: most,
        channels: present,
        hasOtherChannels,
      })
      if (outcome.kind === 'lost') {
        // A lease that has ended can be that of another drainer by now.
        ;[token, isHolder] = [newToken(), false]
        return later(again.lost)
      }
      known = present
      isHolder = !outcome.isEmpty
      if (outcome.channels.length > 0) onEvents(outcome.channels)
      if (isClosed || (outcome.isEmpty && !isWanted)) return
    }
  }
  const wake = (): void => {
    isWanted = true
    if (isClosed) return
    draining ??= drain()
      .catch((error: unknown) => {
        ;[token, isHolder] = [newToken(), false]
        onError(error)
        later(again.failed)
      })
      .finally(() => {
        draining = null
        // It was called after the last look.
        if (isWanted && retry === null) wake()
      })
  }
  const later = (ms: number): void => {
    retry ??= setTimeout(() => {
      retry = null
      wake()
    }, ms).unref()
  }
  let looking: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    looking = isWaiting()
      .then((isAny) => void (isAny && wake()))
      .catch(onError)
  }, again.look).unref()
  return {
    wake,
    close: async () => {
      isClosed = true
      clearInterval(timer)
      if (retry !== null) clearTimeout(retry)
      await looking
      await draining
      if (isHolder) await writes.release(token)
    },
  }
}
