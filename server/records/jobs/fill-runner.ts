// Creates the jobs that fill the fields a generation has added. Repeated until it succeeds, because nothing else would fill
// them until the next deploy or start.

export interface FillRunner {
  /** Creates what the active generation lacks, on behalf of a user. */
  wake(user: string): void
  /** Resolves after the creation that runs. */
  close(): Promise<void>
}

interface FillRunnerParts {
  createFills(user: string): Promise<void>
  onError(error: unknown): void
}

/** How long it rests after a failure, in milliseconds; twice as long each time. */
const restMs = { first: 250, longest: 60_000 }

export function createFillRunner({ createFills, onError }: FillRunnerParts): FillRunner {
  let running: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const run = (user: string, ms: number): void => {
    clearTimeout(timer)
    running = running.then(async () => {
      if (isClosed) return
      try {
        await createFills(user)
      } catch (error) {
        onError(error)
        timer = setTimeout(() => run(user, Math.min(ms * 2, restMs.longest)), ms).unref()
      }
    })
  }
  return {
    wake: (user) => run(user, restMs.first),
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await running
      clearTimeout(timer)
    },
  }
}
