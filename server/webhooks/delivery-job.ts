// An action over all dead deliveries of a filter, as a job over records: in parts, each with its progress in one transaction, so
// that it continues after a restart, and no delivery is handled twice. The oldest goes first.
import type { NoteInTransaction } from '../outbox/index.ts'
import type { DeliveryAction, DiscardedDelivery, RecordJob } from '../ports/record-jobs.ts'
import type { RecordTransactor } from '../ports/record-store.ts'
import { withFailures } from '../records/index.ts'
import { discardDeliveries, requeueDeliveries } from './handle-deliveries.ts'

/** Deliveries of a part, and how long it takes deliveries, in milliseconds: saves of users wait for it. */
const partSize = 100
const partMs = 20

export interface DeliveryJobDeps {
  note: NoteInTransaction
  now(): string
  elapsed(): number
}

/** Returns the job after the part. */
export async function runDeliveryPart(
  { note, now, elapsed }: DeliveryJobDeps,
  tx: RecordTransactor,
  job: RecordJob,
  all: DeliveryAction,
): Promise<RecordJob> {
  const until = elapsed() + partMs
  const { action, filter, upTo, acceptRepeat, reason } = all
  const range = { after: job.after ?? '', upTo, limit: partSize }
  const found = await tx.deliveriesAfter({ ...filter, states: ['dead'] }, range)
  let next: RecordJob = { ...job, state: 'processing' }
  const discarded: DiscardedDelivery[] = []
  for (const [index, { id, endpointKey: endpoint, problem }] of found.entries()) {
    if (index > 0 && elapsed() > until) break
    const handling = { ids: [id], by: job.createdBy, at: now() }
    const isHandled =
      action === 'requeue'
        ? (await requeueDeliveries(note, tx, { ...handling, acceptRepeat })).requeued === 1
        : (await discardDeliveries(note, tx, { ...handling, reason })) === 1
    if (isHandled && action === 'discard') discarded.push({ id, endpoint, problem: problem?.code ?? null })
    next = counted(next, id, isHandled)
  }
  next = { ...next, deliveries: { ...all, discarded } }
  // Those that were discarded are in the audit before the job ends.
  if (found.length > 0) return next
  return { ...next, state: 'completed', total: next.done, finishedAt: now() }
}

function counted(job: RecordJob, id: string, isHandled: boolean): RecordJob {
  const done = job.done + 1
  const next = { ...job, after: id, done, total: Math.max(job.total ?? 0, done) }
  if (isHandled) return { ...next, changed: job.changed + 1 }
  const failure = { record: id, code: 'delivery.not_repeatable', message: unrepeatable }
  return { ...next, failed: job.failed + 1, failures: withFailures(job, [failure]) }
}

const unrepeatable =
  'The target of a callout may have carried it out, so the delivery is not dispatched again.'
