// Runs jobs over records one after another, step by step, so that the writes of users come between the steps.
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

export function createJobRunner({ openJobs, step, onStep, onError }: JobRunnerParts): JobRunner {
  let running: Promise<void> | null = null
  let isWanted = false
  let isClosed = false
  const run = async (): Promise<void> => {
    while (isWanted && !isClosed) {
      isWanted = false
      const open = await openJobs()
      // A job can leave work to others.
      if (open.length > 0) isWanted = true
      for (const { id } of open) {
        let job: RecordJob
        do {
          if (isClosed) return
          onStep((job = await step(id)))
        } while (job.state === 'processing')
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
  return {
    wake,
    close: async () => {
      isClosed = true
      await running
    },
  }
}
