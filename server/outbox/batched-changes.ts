// Collects the changes of calls that end at nearly the same time, and writes them in one transaction: each commit waits for
// the disk.
import type { OutboxChange } from './outbox-writes.ts'

export interface BatchedChanges {
  /** Resolves when the change is durable. Returns false if the claim no longer holds: nothing was written. */
  write(change: OutboxChange): Promise<boolean>
}

export function batchedChanges(
  change: (changes: readonly OutboxChange[]) => Promise<boolean[]>,
): BatchedChanges {
  let waiting: { change: OutboxChange; written: PromiseWithResolvers<boolean> }[] = []
  let isRunning = false

  const run = async (): Promise<void> => {
    isRunning = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        const written = await change(batch.map((each) => each.change))
        for (const [index, each] of batch.entries()) each.written.resolve(written[index] === true)
      } catch (error) {
        for (const each of batch) each.written.reject(error)
      }
    }
    isRunning = false
  }
  return {
    write: (next) => {
      const written = Promise.withResolvers<boolean>()
      waiting.push({ change: next, written })
      // What follows in this turn of the event loop is in the same batch.
      if (!isRunning) queueMicrotask(() => void run())
      isRunning = true
      return written.promise
    },
  }
}
