// Waits for a job of a remote on a terminal and shows its progress and result.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { errorCatalogue, type ErrorCode } from '#kernel/errors/catalogue.ts'
import type { RemoteJob } from '#wire/remotes.ts'
import type { Remotes } from '../remotes/index.ts'
import type { Call } from './command-definition.ts'

/** Returns the job once it is done or waits. @throws AlmanacError with its failure, otherwise */
export async function waitForJob(
  { terminal }: Call,
  remotes: Remotes,
  started: RemoteJob,
): Promise<RemoteJob> {
  const stop = remotes.onEvent((event) => {
    if (!('job' in event)) return
    const { step, done, total } = event.job
    terminal.progress(`${step} ${total === null ? done : `${done} of ${total}`} …`)
  })
  const job = await remotes.waitForJob(started.id)
  stop()
  if (job.state === 'done' || job.state === 'waiting' || job.state === 'review') return job
  throw errorOf(job)
}

function errorOf({ problem, plan }: RemoteJob): AlmanacError {
  const known = problem !== null && Object.hasOwn(errorCatalogue, problem.code)
  return new AlmanacError(
    known ? (problem.code as ErrorCode) : 'internal.error',
    problem?.detail ?? 'The job was cancelled.',
    {
      details: plan?.findings ?? [],
      ...(problem === null ? {} : { origin: problem.origin }),
    },
  )
}
