// Splits long work into short pieces, so that other work on this thread never waits long.

/** Milliseconds of work between two breaks. */
const MAX_BLOCKING_MS = 2

/** Call it often; it lets other work run once the time slice is used up. */
export function createYielder(): () => Promise<void> | undefined {
  let started = performance.now()
  let isFirst = true
  return () => {
    if (performance.now() - started < MAX_BLOCKING_MS) return undefined
    return new Promise<void>((resolve) => {
      const resume = (): void => {
        started = performance.now()
        resolve()
      }
      if (isFirst) afterOthers(resume)
      else setImmediate(resume)
      isFirst = false
    })
  }
}

/** Lets other work run now, however little was done. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise(afterOthers)
}

/**
 * After the requests and timers that wait now. What handles a request is followed by the immediates that it sets, before any
 * other request; those that an immediate sets are not.
 */
function afterOthers(resume: () => void): void {
  setImmediate(() => setImmediate(resume))
}

/** Runs work that yields between its steps, with a break whenever a piece is used up. */
export async function runInChunks<T>(steps: Generator<void, T>): Promise<T> {
  const breathe = createYielder()
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await breathe()
  }
}
