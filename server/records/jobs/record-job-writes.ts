// The writes of jobs, each in one transaction. They run next to saves, in the same thread.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { RecordJob } from '../../ports/record-jobs.ts'
import type { RecordTransactor } from '../../ports/record-store.ts'
import { archiveValues, type ArchiveCommand, type ArchiveReply } from '../archive/archive-values.ts'
import type { CommandDeps } from '../commands/save-command.ts'
import { createFills, createJob, type FillCommand, type JobCommand } from './create-job.ts'
import type { ReturnedFieldDeps } from './returned-fields.ts'
import { withoutOutcomes } from './new-job.ts'
import { isOpen, isProcessed, runJobStep, type OtherParts } from './run-job-step.ts'

export interface RecordJobWrites {
  /** @throws AlmanacError `object.not_found`, `access.denied`, `expression.invalid` */
  create(command: JobCommand): Promise<RecordJob>
  /** Runs a part of a job in the active generation. @throws AlmanacError `record.job_not_found` */
  step(step: JobStep): Promise<RecordJob>
  /** Archives values. @throws AlmanacError `conflict.stale_version`, `access.denied`: nothing was archived */
  archive(command: ArchiveCommand): Promise<ArchiveReply>
  removeArchive(id: string): Promise<void>
  /** What a job has done stays; a job that has ended stays as it is. @throws AlmanacError `record.job_not_found`, `request.invalid` */
  abort(id: string): Promise<RecordJob>
  /** Creates jobs that fill stored fields of the active generation. Returns whether any job is open. */
  createFills(command: FillCommand): Promise<boolean>
}

export interface JobStep {
  id: string
  /** The active generation. */
  generation: number
}

export function recordJobWrites(
  deps: () => CommandDeps & ReturnedFieldDeps,
  elapsed: () => number,
  others: OtherParts,
): RecordJobWrites {
  return {
    create: (command) => deps().store.write((tx) => createJob(deps(), tx, command)),
    step: async (step) => {
      const { store } = deps()
      const job = await store.write((tx) => runJobStep(deps(), tx, step, { elapsed, others }))
      if (job === undefined) throw jobNotFound(step.id)
      if (!isProcessed(job)) return job
      await store.removeTraces()
      const completed = { ...job, state: 'completed' } as const
      await store.write((tx) => tx.putJob(completed))
      return completed
    },
    archive: (command) => deps().store.write((tx) => archiveValues(deps(), tx, command)),
    removeArchive: (id) => deps().store.write((tx) => tx.removeArchive(id)),
    abort: (id) =>
      deps().store.write(async (tx) => {
        const job = await tx.job(id)
        if (job === undefined) throw jobNotFound(id)
        if (!isOpen(job) && job.state !== 'waiting') return job
        if (job.kind === 'erase')
          throw new AlmanacError('request.invalid', 'An erasure cannot be ended early.')
        const aborted = { ...job, state: 'aborted', finishedAt: deps().clock.now() } as const
        await tx.putJob(withoutOutcomes(aborted))
        await dropUnsent(tx, job)
        return aborted
      }),
    createFills: (command) => deps().store.write((tx) => createFills(deps(), tx, command)),
  }
}

export const jobNotFound = (id: string): AlmanacError =>
  new AlmanacError('record.job_not_found', `The job "${id}" does not exist.`)

/** A call that was sent, or is being sent, stays in the outbox. */
async function dropUnsent(tx: RecordTransactor, { automation }: RecordJob): Promise<void> {
  const call = automation?.waitsFor === undefined ? undefined : await tx.outboxRow(automation.waitsFor)
  if (call?.state === 'pending' && call.attempts.length === 0) await tx.removeOutbox(call.id, null)
}
