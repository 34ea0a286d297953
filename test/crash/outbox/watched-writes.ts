// The writes of the outbox, with the points at which a process can be stopped.
import type { OutboxChange, OutboxWrites } from '../../../server/outbox/index.ts'

/** `ended` is after the response of the target, before anything is written about it. */
export const points = ['claimed', 'counting', 'counted', 'ended', 'finished', 'granted'] as const
export type Point = (typeof points)[number]
/** A point, or one that only the calls of an action pass: `counting once`. */
export type NarrowPoint = Point | `${Point} ${string}`

/** Called at each point; what comes after it waits for the result. */
export type Pass = (point: NarrowPoint) => Promise<void> | undefined

/** @param mayClaim resolves when calls may be claimed, and claims extended */
export function watched(writes: OutboxWrites, pass: Pass, mayClaim: () => Promise<void>): OutboxWrites {
  const actions = new Map<string, string>()
  const passWith = async (point: Point, changes: readonly OutboxChange[]): Promise<void> => {
    if (changes.length === 0) return
    await pass(point)
    for (const action of new Set(changes.map(({ id }) => actions.get(id)))) await pass(`${point} ${action}`)
  }
  return {
    ...writes,
    claim: async (request) => {
      await mayClaim()
      const calls = await writes.claim(request)
      for (const { row } of calls) actions.set(row.id, row.effect.action)
      if (calls.length > 0) await pass('claimed')
      return calls
    },
    extend: async (extension) => {
      await mayClaim()
      return writes.extend(extension)
    },
    change: async (changes) => {
      const counts = changes.filter(({ kind }) => kind === 'attempt')
      const ends = changes.filter(({ kind }) => kind !== 'attempt' && kind !== 'deferred')
      await passWith('counting', counts)
      await passWith('ended', ends)
      const written = await writes.change(changes)
      await passWith('counted', counts)
      await passWith('finished', ends)
      return written
    },
    swapLimit: async (swap) => {
      const isSwapped = await writes.swapLimit(swap)
      if (swap.cell.kind === 'budget') await pass('granted')
      return isSwapped
    },
  }
}
