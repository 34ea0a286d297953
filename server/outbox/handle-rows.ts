// What operators do with dead rows, within a transaction: send them again, or close them.
import type { OutboxRow } from '../ports/outbox.ts'
import type { RecordTransactor } from '../ports/record-store.ts'
import type { NewTraceEvent } from '../ports/trace.ts'
import { isRepeatableCall } from './lapsed-call.ts'
import { handledEvent } from './trace-events.ts'
import { endJob, restoreJob } from './waiting-job.ts'

/** Writes events to the execution trace, in the transaction of what they describe. */
export type NoteInTransaction = (
  tx: RecordTransactor,
  ...events: readonly (NewTraceEvent | null)[]
) => Promise<void>

export const noteInTransaction =
  (newId: () => string): NoteInTransaction =>
  async (tx, ...events) => {
    const present = events.filter((event) => event !== null)
    if (present.length > 0) await tx.appendTrace(present.map((event) => ({ ...event, id: newId() })))
  }

/** How dead rows are closed. */
export interface Closing {
  ids: readonly string[]
  state: 'resolved' | 'discarded'
  by: string
  at: string
  /** Required for a discard. */
  reason: string
}

export interface Requeueing {
  ids: readonly string[]
  /** Whether those are sent again that the target could carry out twice. */
  acceptRepeat: boolean
  by: string
  at: string
}

export interface RequeueResult {
  requeued: number
  /** Rows that are sent again only if a repetition is accepted. */
  unrepeatable: number
}

/** Whether a dead row is sent again only if its repetition is accepted: the target may have carried it out. */
export const needsAcceptance = (row: OutboxRow): boolean => row.attempts.length > 0 && !isRepeatableCall(row)

export async function requeueRows(
  note: NoteInTransaction,
  tx: RecordTransactor,
  { ids, acceptRepeat, by, at }: Requeueing,
): Promise<RequeueResult> {
  const result = { requeued: 0, unrepeatable: 0 }
  for (const id of ids) {
    const row = await tx.outboxRow(id)
    if (row?.state !== 'dead') continue
    if (!acceptRepeat && needsAcceptance(row)) {
      result.unrepeatable += 1
      continue
    }
    const { attempts } = row
    await tx.putOutbox(
      { ...row, state: 'pending', nextAttemptAt: at, problem: null, priorAttempts: attempts.length },
      null,
    )
    await note(tx, handledEvent(row, { as: 'requeued', by, at }))
    await restoreJob(tx, row)
    result.requeued += 1
  }
  return result
}

/** Returns how many were closed. */
export async function closeRows(
  note: NoteInTransaction,
  tx: RecordTransactor,
  { ids, state, by, at, reason }: Closing,
): Promise<number> {
  let closed = 0
  for (const id of ids) {
    const row = await tx.outboxRow(id)
    if (row?.state !== 'dead') continue
    await tx.putOutbox({ ...row, state, resolution: { at, by, reason } }, null)
    await note(tx, handledEvent(row, { as: state, by, at }))
    await endJob(tx, row)
    closed += 1
  }
  return closed
}
