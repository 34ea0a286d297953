// A job as callers see it.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import type { DeliveryAction, OutboxAction, RecordJob } from '../../ports/record-jobs.ts'
import { canReadFilter } from '../query/conditions.ts'
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
  /** Of an `outbox`; null for other jobs. */
  outbox: Omit<OutboxAction, 'upTo' | 'discarded'> | null
  /** Of `deliveries`; null for other jobs. */
  deliveries: Omit<DeliveryAction, 'upTo' | 'discarded'> | null
}

/** A caller who cannot see the object sees the progress alone. */
export function jobView(caller: RecordCaller, job: RecordJob): JobView {
  const { present, access } = caller
  const { id, kind, boundBefore, state, createdAt, createdBy, finishedAt } = job
  const { total, done, changed, failed, failures, problem } = job
  const object = present.names.objectKey(job.object)
  const isOwn = createdBy === access.user
  // Its failures name records, and its filter was written by its creator.
  const isShown =
    object !== undefined && access.may(object, 'read') && (isOwn || access.accessToAll(object) !== 'none')
  return {
    ...{ id, kind, boundBefore, state, createdAt, createdBy, finishedAt, total, done, changed, failed },
    ...(isShown
      ? { object, filter: shownFilter(caller, object, job), failures }
      : { object: null, filter: null, failures: isOverRecords(job) ? [] : failures }),
    outbox: shownAction(job.outbox),
    deliveries: shownAction(job.deliveries),
    problem: isShown || isOwn ? problem : kindOfProblem(problem),
  }
}

const isOverRecords = ({ outbox, deliveries }: RecordJob): boolean => outbox === null && deliveries === null

/** Of calls and deliveries, operators see everything but what they contain. */
function shownAction<A extends OutboxAction | DeliveryAction>(
  all: A | null,
): Pick<A, 'action' | 'filter' | 'acceptRepeat' | 'reason'> | null {
  if (all === null) return null
  const { action, filter, acceptRepeat, reason } = all
  return { action, filter, acceptRepeat, reason }
}

/** A filter of what the caller cannot read contains values to look for. */
function shownFilter(caller: RecordCaller, object: string, { filter, createdBy }: RecordJob): string | null {
  const isShown = createdBy === caller.access.user || canReadFilter(caller, object, filter ?? undefined)
  return isShown ? filter : null
}

/** Only the kind of a problem, whose message can name the object. */
function kindOfProblem(problem: RecordJob['problem']): RecordJob['problem'] {
  if (problem === null) return null
  const { kind } = new AlmanacError(problem.code as ErrorCode, '')
  return { code: problem.code, message: `${kind.title}.` }
}
