// The writes of the outbox, with the points at which a process can be stopped.
import type { OutboxWrites } from '../../../server/outbox/index.ts'

/** `ended` is after the response of the target, before anything is written about it. */
export const points = ['claimed', 'counting', 'counted', 'ended', 'finished', 'granted'] as const
export type Point = (typeof points)[number]

export function watched(writes: OutboxWrites, pass: (point: Point) => void): OutboxWrites {
  return {
    ...writes,
    claim: async (request) => {
      const calls = await writes.claim(request)
      if (calls.length > 0) pass('claimed')
      return calls
    },
    change: async (changes) => {
      const isCount = changes.some(({ kind }) => kind === 'attempt')
      const isEnd = changes.some(({ kind }) => kind !== 'attempt' && kind !== 'deferred')
      if (isCount) pass('counting')
      if (isEnd) pass('ended')
      const written = await writes.change(changes)
      if (isCount) pass('counted')
      if (isEnd) pass('finished')
      return written
    },
    swapLimit: async (swap) => {
      const isSwapped = await writes.swapLimit(swap)
      if (swap.cell.kind === 'budget') pass('granted')
      return isSwapped
    },
  }
}
