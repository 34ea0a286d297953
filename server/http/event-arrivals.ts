// Waits for events of a channel. Those that arrive while the channel is read count too: they end the next wait at once.
import type { EventEmitter } from 'node:events'
import type { ChannelId } from '#kernel/events/index.ts'
import type { EventWatch } from '../events/index.ts'

export interface ArrivalParts {
  channel: ChannelId
  /** Null if nothing follows events. */
  watch: Pick<EventWatch, 'watch'> | null
  /** @returns a function that takes it back */
  onServerClose(end: () => void): () => void
  /** Its `close` ends the wait. */
  response: Pick<EventEmitter, 'on' | 'off'>
}

export interface EventArrivals {
  /** Call it before the channel is read: what arrives from then on ends the next wait. */
  begin(): void
  /** Resolves when there may be events, the time is over, or the caller has gone; to false if the server stops. */
  next(ms: number): Promise<boolean>
  end(): void
}

export function eventArrivals({ channel, watch, onServerClose, response }: ArrivalParts): EventArrivals {
  let hasSome = false
  let isClosing = false
  let wake = (): void => undefined
  const arrive = (): void => {
    hasSome = true
    wake()
  }
  const stop = watch?.watch(channel, arrive)
  const stopClosing = onServerClose(() => {
    isClosing = true
    wake()
  })
  response.on('close', arrive)
  return {
    begin: () => void (hasSome = false),
    next: async (ms) => {
      if (!hasSome && !isClosing)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      return !isClosing
    },
    end: () => {
      stop?.()
      stopClosing()
      response.off('close', arrive)
    },
  }
}
