// Runs jobs over records step by step, so that the writes of users come between the steps. Jobs take turns, the oldest
// first: one that is long or fails does not hold up the others.
import type { RecordJob } from '../../ports/record-jobs.ts'

export interface JobRunner {
  /** Continues with the jobs that are open; called after a job was created. */
  wake(): void
  /** Resolves after the step that runs. Open jobs continue after the next start. */
  close(): Promise<void>
}

interface JobRunnerParts {
  openJobs(): Promise<RecordJob[]>
  step(id: string): Promise<RecordJob>
  onStep(job: RecordJob): void
  onError(error: unknown): void
}

/** Interval of the check for jobs that another process has left, such as one that was killed, in milliseconds. */
const lookMs = 10_000
/** How long a job rests after a step that failed unexpectedly, in milliseconds; twice as long each time. */
const restMs = { first: 250, longest: 60_000 }

interface Rest {
  ms: number
  isOver: boolean
  timer: NodeJS.Timeout
}

export function createJobRunner({ openJobs, step, onStep, onError }: JobRunnerParts): JobRunner {
  let running: Promise<void> | null = null
  let isWanted = false
  let isClosed = false
  const rests = new Map<string, Rest>()

  const rest = (id: string): void => {
    const ms = Math.min((rests.get(id)?.ms ?? restMs.first / 2) * 2, restMs.longest)
    const end = (): void => {
      rests.get(id)!.isOver = true
      wake()
    }
    rests.set(id, { ms, isOver: false, timer: setTimeout(end, ms).unref() })
  }
  const runTurn = async (id: string): Promise<void> => {
    try {
      onStep(await step(id))
      rests.delete(id)
    } catch (error) {
      onError(error)
      rest(id)
    }
  }
  const run = async (): Promise<void> => {
    while (isWanted && !isClosed) {
      isWanted = false
      const open = (await openJobs()).filter(({ id }) => rests.get(id)?.isOver !== false)
      // A job can leave work to others.
      if (open.length > 0) isWanted = true
      for (const { id } of open) {
        if (isClosed) return
        await runTurn(id)
      }
    }
  }
  const wake = (): void => {
    isWanted = true
    if (isClosed) return
    running ??= run()
      .catch(onError)
      .finally(() => {
        running = null
        if (isWanted) wake()
      })
  }
  const look = setInterval(wake, lookMs).unref()
  return {
    wake,
    close: async () => {
      isClosed = true
      clearInterval(look)
      for (const { timer } of rests.values()) clearTimeout(timer)
      await running
    },
  }
}
