// A job as it is created.
import type { RecordJob, RecordJobFailure } from '../../ports/record-jobs.ts'

type Declared = 'kind' | 'object' | 'createdBy' | 'correlationId' | 'scopePath'
type Selection =
  | 'filter'
  | 'boundBefore'
  | 'filledFor'
  | 'keepsArchived'
  | 'fields'
  | 'searched'
  | 'source'
  | 'automation'
  | 'operation'
  | 'outbox'
  | 'deliveries'
  | 'total'
export type JobFacts = Pick<RecordJob, Declared> & Partial<Pick<RecordJob, Selection>>

/** Failures that a job names. */
const maxFailures = 100

/** The failures of a job with those of a step: the first ones. */
export function withFailures(
  { failures }: Pick<RecordJob, 'failures'>,
  added: readonly RecordJobFailure[],
): readonly RecordJobFailure[] {
  return failures.length < maxFailures ? [...failures, ...added].slice(0, maxFailures) : failures
}

/** A job that has ended keeps nothing of the responses to its callouts. */
export function withoutOutcomes(job: RecordJob): RecordJob {
  if (job.automation?.outcomes === undefined) return job
  const { outcomes: _, ...automation } = job.automation
  return { ...job, automation }
}

/** @param now ISO 8601 instant */
export function newJob(id: string, now: string, facts: JobFacts): RecordJob {
  return {
    ...{
      id,
      filter: null,
      boundBefore: null,
      keepsArchived: false,
      fields: [],
      searched: [],
      source: null,
      automation: null,
      operation: null,
      outbox: null,
      deliveries: null,
      total: null,
      ...facts,
    },
    ...{ state: 'queued', createdAt: now, finishedAt: null, counting: null, after: null, part: null },
    ...{ done: 0, changed: 0, failed: 0, failures: [], problem: null },
  }
}
