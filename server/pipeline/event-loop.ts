// Splits long work into short pieces, so that other work on this thread never waits long.

/** Milliseconds of work between two breaks. */
const MAX_BLOCKING_MS = 2

/** Call it often; it lets other work run once the time slice is used up. */
export function createYielder(): () => Promise<void> | undefined {
  let started = performance.now()
  return () => {
    if (performance.now() - started < MAX_BLOCKING_MS) return undefined
    return new Promise<void>((resolve) =>
      setImmediate(() => {
        started = performance.now()
        resolve()
      }),
    )
  }
}

/** Lets other work run now, however little was done. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
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
