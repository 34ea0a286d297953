// What a step of a job that archives has done, and the job after it.
import type { FieldId } from '#kernel/records/index.ts'
import type { RecordJob, RecordJobFailure, RecordPart } from '../../ports/record-jobs.ts'
import { withFailures } from '../jobs/new-job.ts'
import { atLeast } from '../jobs/run-job-step.ts'
import type { ArchivedRecord, ArchivedValue } from './archived-record.ts'

/** How often a value is tried whose record is changed each time, or whose evidence fails for an unexpected reason. */
export const maxAttempts = 10

/** A record, or a part of one, of which a step has made evidence. */
export interface SteppedRecord extends ArchivedRecord {
  values: ArchivedValue[]
  /** Values that cannot be archived. */
  failures: RecordJobFailure[]
  /** Whether it had a value to archive. */
  isBound: boolean
  /** The last field that the job has processed; null for none. */
  last: FieldId | null
  /** Whether all of its values were processed. */
  isWhole: boolean
  /** Whether the evidence of the value after the last one has failed for an unexpected reason. */
  hasBroken: boolean
}

export interface ArchiveStep {
  /** Where the job stopped when the step was prepared. */
  after: string | null
  part: RecordPart | null
  records: readonly SteppedRecord[]
  /** Whether the job ends with the last record of the step. */
  isLast: boolean
  /** Why the job ends early; null if it does not. */
  problem: RecordJob['problem']
}

/** What has become of a record of a step. */
export type RecordOutcome =
  | 'processed'
  /** It was changed since its evidence was made; this one and the records after it wait for the next step. */
  | 'stale'
  /** The user cannot change it: none of its values can be archived. */
  | RecordJobFailure

const initial = { field: null, hasArchived: false, hasFailed: false, attempts: 0 }

/** @param outcomes of the records, in their order; those after a stale one have none */
export function jobAfterStep(
  job: RecordJob,
  { records, isLast, problem }: ArchiveStep,
  outcomes: readonly RecordOutcome[],
  now: string,
): RecordJob {
  let next: RecordJob = { ...job, state: 'processing' }
  for (const [index, outcome] of outcomes.entries()) next = afterRecord(next, records[index]!, outcome)
  if (!isLast || outcomes.includes('stale')) return next
  const isCompleted = problem === null
  // Records were added or removed since they were counted.
  const total = isCompleted ? next.done : next.total
  return {
    ...{ ...next, total, part: null, finishedAt: now, problem },
    state: isCompleted ? 'completed' : 'failed',
  }
}

function afterRecord(job: RecordJob, record: SteppedRecord, outcome: RecordOutcome): RecordJob {
  const { id } = record
  const part = job.part?.record === id ? job.part : { record: id, ...initial }
  if (outcome === 'stale') {
    const attempts = part.attempts + 1
    return attempts < maxAttempts
      ? { ...job, part: { ...part, attempts } }
      : finished(withFailed(job, part, [changedEachTime(id)]), record)
  }
  if (outcome !== 'processed') return finished(withFailed(job, part, [outcome]), record)
  const hasArchived = record.values.length > 0
  const changed = hasArchived && !part.hasArchived ? 1 : 0
  const next = withFailed({ ...job, changed: job.changed + changed }, part, record.failures)
  if (record.isWhole) return finished(next, record)
  const isSame = part.field === record.last
  return {
    ...next,
    part: {
      ...{
        record: id,
        field: record.last,
        attempts: (isSame ? part.attempts : 0) + (record.hasBroken ? 1 : 0),
      },
      hasArchived: part.hasArchived || hasArchived,
      hasFailed: part.hasFailed || record.failures.length > 0,
    },
  }
}

/** A record counts once, in however many parts its values are archived. */
function withFailed(job: RecordJob, part: RecordPart, failures: readonly RecordJobFailure[]): RecordJob {
  const failed = failures.length > 0 && !part.hasFailed ? 1 : 0
  return { ...job, failed: job.failed + failed, failures: withFailures(job, failures) }
}

function finished(job: RecordJob, { id, isBound }: SteppedRecord): RecordJob {
  const done = job.done + (isBound ? 1 : 0)
  return { ...job, after: id, part: null, done, total: atLeast(job.total, done) }
}

const changedEachTime = (record: string): RecordJobFailure => ({
  record,
  code: 'conflict.stale_version',
  message: 'The record was changed each time its evidence was made. Start the job again.',
})
