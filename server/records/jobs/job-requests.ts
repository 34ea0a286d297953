// Jobs over records, as operators ask for them.
import { isOpen } from './run-job-step.ts'
import { jobNotFound, type JobStep } from './record-job-writes.ts'
import { jobView } from './job-view.ts'
import { checkJob, jobFact } from './create-job.ts'
import { runArchiveStep, type ArchiveStepParts } from '../archive/archive-step.ts'
import type { RecordJob } from '../../ports/record-jobs.ts'
import type { RecordReader } from '../../ports/record-store.ts'
import type { RecordCaller } from '../read/record-caller.ts'
import { requireOperator } from '../read/require-operator.ts'
import type { CallerOf } from '../caller-of.ts'
import type { Records, RecordsParts } from '../records-interface.ts'

interface JobRequestParts extends RecordsParts {
  read<T>(work: (reader: RecordReader) => Promise<T>): Promise<T>
  callerOf(from: CallerOf): RecordCaller
}

type JobRequests = Pick<Records, 'createJob' | 'runStep' | 'stepJob' | 'abortJob' | 'job' | 'jobs'>

export function jobRequests({
  read,
  callerOf,
  jobs,
  jobAudit,
  audit,
  ...parts
}: JobRequestParts): JobRequests {
  const archiving: ArchiveStepParts = {
    ...parts,
    archive: (command) => jobs.archive(command),
    elapsed: () => performance.now(),
  }
  const runStep = async (step: JobStep): Promise<RecordJob> => {
    await jobAudit.beforePart(step.id)
    const job = await jobs.step(step)
    await jobAudit.afterPart(job)
    const isCounted = job.kind === 'archive' && isOpen(job) && job.total !== null
    return isCounted ? runArchiveStep(archiving, job, step.generation) : job
  }
  return {
    createJob: async (from, by, { kind, object, filter, boundBefore, keepArchived }) => {
      requireOperator(from, `to start a ${kind} of records`)
      const { generation, scopePath } = from
      const { user } = from.access
      const { correlationId } = by
      const command = {
        ...{ kind, object, filter, boundBefore, keepArchived, correlationId, user, generation, scopePath },
      }
      const caller = callerOf(from)
      const checked = checkJob(caller, command)
      if (kind === 'rebind' || kind === 'archive') await audit(by, jobFact(checked, command))
      return jobView(caller, await jobs.create(command))
    },
    runStep,
    stepJob: async (from, id) => jobView(callerOf(from), await runStep({ id, generation: from.generation })),
    abortJob: async (from, id) => {
      requireOperator(from, 'to end a job over records')
      await jobAudit.beforePart(id)
      return jobView(callerOf(from), await jobs.abort(id))
    },
    job: async (from, id) => {
      requireOperator(from, 'to see a job over records')
      const job = await read((reader) => reader.job(id))
      if (job === undefined) throw jobNotFound(id)
      return jobView(callerOf(from), job)
    },
    jobs: async (from, { limit, before }) => {
      requireOperator(from, 'to see the jobs over records')
      const caller = callerOf(from)
      const found = await read((reader) => reader.jobs(limit + 1, before))
      const jobs = found.slice(0, limit).map((job) => jobView(caller, job))
      return { jobs, next: found.length > limit ? jobs.at(-1)!.id : null }
    },
  }
}
