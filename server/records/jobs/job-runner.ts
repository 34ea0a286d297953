// Runs jobs over records step by step, so that the writes of users come between the steps. Jobs take turns, the oldest
// first: one that is long or fails does not hold up the others.
import type { RecordJob } from '../../ports/record-jobs.ts'
import { lookMs, Rests } from './rests.ts'

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

export function createJobRunner({ openJobs, step, onStep, onError }: JobRunnerParts): JobRunner {
  let running: Promise<void> | null = null
  let isWanted = false
  let isClosed = false
  const rests = new Rests(() => wake())

  const runTurn = async (id: string): Promise<void> => {
    try {
      onStep(await step(id))
      rests.forget(id)
    } catch (error) {
      onError(error)
      rests.begin(id)
    }
  }
  const run = async (): Promise<void> => {
    while (isWanted && !isClosed) {
      isWanted = false
      const open = (await openJobs()).filter(({ id }) => !rests.isResting(id))
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
      rests.close()
      await running
    },
  }
}
