// A job as callers see it.
import type { RecordJob } from '../../ports/record-jobs.ts'
import type { RecordCaller } from '../read/record-caller.ts'

export interface JobView extends Pick<
  RecordJob,
  | 'id'
  | 'kind'
  | 'filter'
  | 'boundBefore'
  | 'state'
  | 'createdAt'
  | 'createdBy'
  | 'finishedAt'
  | 'total'
  | 'done'
  | 'changed'
  | 'failed'
  | 'failures'
  | 'problem'
> {
  /** The key of the object; null if it was removed, or if the caller cannot see it. */
  object: string | null
}

/** A caller who cannot see the object sees the progress alone. */
export function jobView(
  { present, access }: Pick<RecordCaller, 'present' | 'access'>,
  job: RecordJob,
): JobView {
  const { id, kind, filter, boundBefore, state, createdAt, createdBy, finishedAt } = job
  const { total, done, changed, failed, failures, problem } = job
  const object = present.names.objectKey(job.object)
  // Its failures name records, and its filter was written by its creator.
  const isOwn =
    object !== undefined && (job.createdBy === access.user || access.accessToAll(object) !== 'none')
  const isShown = object !== undefined && access.may(object, 'read') && isOwn
  return {
    ...{
      id,
      kind,
      boundBefore,
      state,
      createdAt,
      createdBy,
      finishedAt,
      total,
      done,
      changed,
      failed,
      problem,
    },
    ...(isShown ? { object, filter, failures } : { object: null, filter: null, failures: [] }),
  }
}
