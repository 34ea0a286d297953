// An action over all dead rows of a filter, as a job over records: in parts, each with its progress in one transaction, so
// that it continues after a restart, and no row is handled twice. The oldest row goes first.
import type { OutboxRow } from '../ports/outbox.ts'
import type { DiscardedCall, OutboxAction, RecordJob } from '../ports/record-jobs.ts'
import type { RecordTransactor } from '../ports/record-store.ts'
import { withFailures } from '../records/index.ts'
import { closeRows, requeueRows, type NoteInTransaction } from './handle-rows.ts'

/** Rows of a part, and how long it takes rows, in milliseconds: saves of users wait for it. */
const partSize = 100
const partMs = 20

export interface OutboxJobDeps {
  note: NoteInTransaction
  now(): string
  elapsed(): number
}

/** Returns the job after the part. */
export async function runOutboxPart(
  { note, now, elapsed }: OutboxJobDeps,
  tx: RecordTransactor,
  job: RecordJob,
  action: OutboxAction,
): Promise<RecordJob> {
  const until = elapsed() + partMs
  const { filter, upTo } = action
  const range = { after: Number(job.after ?? 0), upTo, limit: partSize }
  const rows = await tx.outboxAfter({ ...filter, states: ['dead'] }, range)
  let next: RecordJob = { ...job, state: 'processing' }
  const discarded: DiscardedCall[] = []
  for (const [index, row] of rows.entries()) {
    if (index > 0 && elapsed() > until) break
    const isHandled = await handleRow(note, tx, { row, action, by: job.createdBy, at: now() })
    if (isHandled && action.action === 'discard') discarded.push(discardedCall(row))
    next = counted(next, row, isHandled)
  }
  next = { ...next, outbox: { ...action, discarded } }
  // Those that were discarded are in the audit before the job ends.
  if (rows.length > 0) return next
  return { ...next, state: 'completed', total: next.done, finishedAt: now() }
}

interface Handling {
  row: OutboxRow
  action: OutboxAction
  by: string
  at: string
}

async function handleRow(
  note: NoteInTransaction,
  tx: RecordTransactor,
  { row: { id }, action: { action, acceptRepeat, reason }, by, at }: Handling,
): Promise<boolean> {
  if (action === 'requeue')
    return (await requeueRows(note, tx, { ids: [id], acceptRepeat, by, at })).requeued === 1
  const state = action === 'resolve' ? 'resolved' : 'discarded'
  return (await closeRows(note, tx, { ids: [id], state, by, at, reason })) === 1
}

const discardedCall = ({ id, credential, effect, problem }: OutboxRow): DiscardedCall => ({
  ...{ id, credential, record: effect.record || null, problem: problem?.code ?? null },
})

function counted(job: RecordJob, { id, effect }: OutboxRow, isHandled: boolean): RecordJob {
  const done = job.done + 1
  const next = { ...job, after: String(effect.sequence), done, total: Math.max(job.total ?? 0, done) }
  if (isHandled) return { ...next, changed: job.changed + 1 }
  const failure = { record: id, code: 'outbox.not_repeatable', message: unrepeatable }
  return { ...next, failed: job.failed + 1, failures: withFailures(job, [failure]) }
}

const unrepeatable =
  'The target may have carried out the call, and its author does not declare a key for repetitions, so it is not sent again.'
