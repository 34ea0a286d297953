// Collects writes that are asked for at nearly the same time, and runs them in one transaction: each commit waits for the disk.

export interface BatchedWrites<T, R> {
  /** Resolves with the result of this one when it is durable. */
  write(item: T): Promise<R>
}

/** @param run returns a result for each item, in their order */
export function batchedWrites<T, R>(
  run: (items: readonly T[]) => Promise<readonly R[]>,
): BatchedWrites<T, R> {
  let waiting: { item: T; written: PromiseWithResolvers<R> }[] = []
  let isRunning = false
  const runAll = async (): Promise<void> => {
    isRunning = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        const results = await run(batch.map(({ item }) => item))
        for (const [index, { written }] of batch.entries()) written.resolve(results[index]!)
      } catch (error) {
        for (const { written } of batch) written.reject(error)
      }
    }
    isRunning = false
  }
  return {
    write: (item) => {
      const written = Promise.withResolvers<R>()
      waiting.push({ item, written })
      // What follows in this turn of the event loop is in the same batch.
      if (!isRunning) queueMicrotask(() => void runAll())
      isRunning = true
      return written.promise
    },
  }
}
