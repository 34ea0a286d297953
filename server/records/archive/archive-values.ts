// Marks values as archived and stores their evidence, in one transaction: neither is there without the other.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import type { ArchivedReads, FieldId, KeptInputs } from '#kernel/records/index.ts'
import type { RecordArchive } from '../../ports/record-archives.ts'
import type { RecordJob, RecordJobFailure } from '../../ports/record-jobs.ts'
import type { RecordTransactor } from '../../ports/record-store.ts'
import { withFailures } from '../jobs/new-job.ts'
import { atLeast, isOpen } from '../jobs/run-job-step.ts'
import type { CommandDeps } from '../commands/save-command.ts'
import type { ArchiveMarks, SaveItem } from '../save/save.ts'
import { saveInTransaction } from '../saves.ts'

export interface ArchiveCommand {
  /** Key. */
  object: string
  archive: RecordArchive
  records: readonly ArchivedRecord[]
  user: string
  correlationId: string
  scopePath: ScopePath
  /** The active generation. */
  generation: number
  /** Of a job, whose ID is that of the archive; null for one value. */
  step: ArchiveStep | null
}

export interface ArchiveStep {
  /** Where the job stopped when the step was prepared, and the last record of the step. */
  after: string | null
  last: string | null
  /** Records with values to archive, the failed ones included. */
  done: number
  isLast: boolean
  /** Values that cannot be archived. */
  failures: readonly RecordJobFailure[]
  /** Why the job ends early; null if it does not. */
  problem: RecordJob['problem']
}

export interface ArchiveReply {
  /** Records that the user cannot change. */
  failures: RecordJobFailure[]
  /** After the step; null for one value. */
  job: RecordJob | null
}

export interface ArchivedRecord {
  id: string
  /** The record as its values were proved. */
  version: number
  values: readonly ArchivedValue[]
}

export interface ArchivedValue {
  field: FieldId
  reads: ArchivedReads
  inputs: KeptInputs
  /** The text of the evidence bundle. */
  bundle: string
}

/** @throws AlmanacError `conflict.stale_version` if a record was changed since its values were proved: nothing was archived */
export async function archiveValues(
  deps: CommandDeps,
  tx: RecordTransactor,
  command: ArchiveCommand,
): Promise<ArchiveReply> {
  const { object, archive, records, user, correlationId, scopePath, generation, step } = command
  const { id, at, by } = archive
  const job = step === null ? null : (await tx.job(id))!
  if (job !== null && !isOpen(job)) return { failures: [], job }
  if (job !== null && job.after !== step!.after)
    throw new AlmanacError('conflict.stale_version', 'The job has gone on in the meantime.')
  const items = records.map(({ id: record, version, values }): SaveItem => {
    const marks: ArchiveMarks = new Map(
      values.map(({ field, reads, inputs }) => [field, { mark: { archive: id, at, by, ...reads }, inputs }]),
    )
    return { op: 'archive', object, id: record, version, marks }
  })
  const outcomes = await saveInTransaction(deps, tx, {
    ...{ generation, actor: user, correlationId, scopePath, allOrNone: false, items },
    access: deps.accessOf(user, generation, scopePath),
  })
  const failures: RecordJobFailure[] = []
  for (const [index, outcome] of outcomes.entries()) {
    const { id: record, values } = records[index]!
    if (outcome.ok)
      await tx.addEvidence(
        archive,
        values.map(({ field, bundle }) => ({ record, field, bundle })),
      )
    else failures.push(failureOf(record, outcome.error))
  }
  if (job === null) return { failures, job }
  const next = jobAfter(job, step!, failures, records.length, deps.clock.now())
  await tx.putJob(next)
  return { failures, job: next }
}

function jobAfter(
  job: RecordJob,
  { last, done, isLast, problem, failures: unproven }: ArchiveStep,
  refused: readonly RecordJobFailure[],
  archived: number,
  now: string,
): RecordJob {
  const failures = [...unproven, ...refused]
  const ended = problem === null ? 'completed' : 'failed'
  const taken = job.done + done
  // Records were added or removed since they were counted.
  const total = isLast && problem === null ? taken : atLeast(job.total, taken)
  return {
    ...job,
    ...{ state: isLast ? ended : 'processing', finishedAt: isLast ? now : null },
    ...{ after: last, total, done: taken, changed: job.changed + archived - refused.length },
    failed: job.failed + new Set(failures.map(({ record }) => record)).size,
    failures: withFailures(job, failures),
    problem,
  }
}

/** @throws the error if the values have to be proved again */
function failureOf(record: string, error: AlmanacError): RecordJobFailure {
  const { code, message } = error
  if (code === 'conflict.stale_version') throw error
  return { record, code, message }
}
