// The writes of the outbox, each a short transaction. They run next to saves, in the same thread; calls are made between
// them, outside of any.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { CalloutOutcome } from '#kernel/records/index.ts'
import type { LimitCell } from '../ports/callout-limits.ts'
import type { ClaimRequest, OutboxAttempt, OutboxProblem, OutboxRow, StoredLimit } from '../ports/outbox.ts'
import type { RecordStore, RecordTransactor } from '../ports/record-store.ts'
import type { DeferredValues } from '../records/index.ts'
import { isRepeatableCall, outcomeUnknown } from './lapsed-call.ts'
import { outboxProblem } from './outbox-problem.ts'
import { endJob, failJob, resumeJob, waitAgain } from './waiting-job.ts'

/** A row that this worker may send, with what is evaluated for this attempt. */
export interface ClaimedCall {
  row: OutboxRow
  /** Of the claim. */
  token: string
  deferred: DeferredValues
}

/** What became of a claimed row. It is written only if the claim still holds. */
export type OutboxChange = { id: string; token: string } &
  /** An attempt is counted before it is sent. */
  (
    | { kind: 'attempt'; attempt: OutboxAttempt }
    /** `outcome`: what the automation goes on with that waits for it; null if none does. */
    | { kind: 'delivered'; outcome: CalloutOutcome | null }
    | { kind: 'retry'; attempts: readonly OutboxAttempt[]; at: string }
    /** Costs no attempt. */
    | { kind: 'deferred'; at: string; problem: OutboxProblem }
    | { kind: 'dead'; attempts: readonly OutboxAttempt[]; problem: OutboxProblem; at: string }
  )

/** How dead rows are closed. */
export interface Closing {
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
  at: string
}

export interface OutboxWrites {
  claim(request: ClaimRequest): Promise<ClaimedCall[]>
  /** In one transaction. Returns whether each was written. */
  change(changes: readonly OutboxChange[]): Promise<boolean[]>
  /** Lets claims hold until a later time. */
  extend(extension: { claims: readonly { id: string; token: string }[]; until: string }): Promise<void>
  /** Sends dead rows again, with the same key. */
  requeue(requeueing: Requeueing): Promise<RequeueResult>
  /** Closes dead rows. Returns how many. */
  close(closing: Closing & { ids: readonly string[] }): Promise<number>
  purge(before: string): Promise<number>
  limit(cell: LimitCell): Promise<StoredLimit>
  swapLimit(swap: { cell: LimitCell; version: number; text: string }): Promise<boolean>
}

export interface RequeueResult {
  requeued: number
  /** Rows that are sent again only if a repetition is accepted. */
  unrepeatable: number
}

export interface OutboxWriteDeps {
  store(): Pick<RecordStore, 'write'>
  deferredValues(tx: RecordTransactor, row: OutboxRow): Promise<DeferredValues | null>
}

export function outboxWrites({ store, deferredValues }: OutboxWriteDeps): OutboxWrites {
  const write = <T>(work: (tx: RecordTransactor) => Promise<T>): Promise<T> => store().write(work)
  return {
    claim: (request) =>
      write(async (tx) => {
        for (const row of await tx.lapsedOutbox(request.now)) await recoverLapsed(tx, row, request.now)
        const calls: ClaimedCall[] = []
        for (const row of await tx.claimOutbox(request)) {
          const filled = await filledValues(tx, row, deferredValues)
          if ('problem' in filled)
            await bury(tx, row, { token: request.token, problem: filled.problem, at: request.now })
          else calls.push({ row, token: request.token, deferred: filled.values })
        }
        return calls
      }),
    change: (changes) =>
      write(async (tx) => {
        const written: boolean[] = []
        for (const change of changes) written.push(await changeRow(tx, change))
        return written
      }),
    extend: ({ claims, until }) =>
      write(async (tx) => {
        for (const { id, token } of claims) await tx.extendOutbox([id], token, until)
      }),
    requeue: (requeueing) => write((tx) => requeueRows(tx, requeueing)),
    close: ({ ids, state, by, at, reason }) =>
      write(async (tx) => {
        let closed = 0
        for (const id of ids) {
          const row = await tx.outboxRow(id)
          if (row?.state !== 'dead') continue
          await tx.putOutbox({ ...row, state, resolution: { at, by, reason } }, null)
          await endJob(tx, row)
          closed += 1
        }
        return closed
      }),
    purge: (before) => write((tx) => tx.purgeOutbox(before)),
    limit: (cell) => write((tx) => tx.limit(cell)),
    swapLimit: ({ cell, version, text }) => write((tx) => tx.swapLimit(cell, version, text)),
  }
}

async function changeRow(tx: RecordTransactor, change: OutboxChange): Promise<boolean> {
  const { id, token } = change
  const row = await tx.outboxRow(id)
  if (row === undefined) return false
  switch (change.kind) {
    case 'delivered':
      if (!(await tx.removeOutbox(id, token))) return false
      if (change.outcome !== null) await resumeJob(tx, row, change.outcome)
      return true
    case 'attempt':
      return tx.putOutbox({ ...row, attempts: withAttempt(row.attempts, change.attempt) }, token)
    case 'retry':
      return tx.putOutbox(
        { ...row, state: 'pending', attempts: change.attempts, nextAttemptAt: change.at, problem: null },
        token,
      )
    case 'deferred':
      return tx.putOutbox(
        { ...row, state: 'pending', nextAttemptAt: change.at, problem: change.problem },
        token,
      )
    case 'dead':
      return bury(tx, { ...row, attempts: change.attempts }, change)
  }
}

const withAttempt = (attempts: readonly OutboxAttempt[], attempt: OutboxAttempt): OutboxAttempt[] => [
  ...attempts.filter(({ n }) => n !== attempt.n),
  attempt,
]

async function bury(
  tx: RecordTransactor,
  row: OutboxRow,
  { token, problem, at }: { token: string; problem: OutboxProblem; at: string },
): Promise<boolean> {
  if (!(await tx.putOutbox({ ...row, state: 'dead', problem }, token))) return false
  await failJob(tx, row, problem, at)
  return true
}

/** A worker ended, or lost its claim, in the middle of an attempt that was counted. */
async function recoverLapsed(tx: RecordTransactor, row: OutboxRow, now: string): Promise<void> {
  const token = (await tx.outboxClaim(row.id))!
  const last = row.attempts.at(-1)
  const isOpen = last !== undefined && last.latencyMs === null
  if (!isOpen || isRepeatableCall(row)) {
    const attempts = isOpen ? withAttempt(row.attempts, { ...last, error: outcomeUnknown() }) : row.attempts
    await tx.putOutbox({ ...row, state: 'pending', attempts, nextAttemptAt: now }, token)
    return
  }
  const problem = outcomeUnknown()
  const attempts = withAttempt(row.attempts, { ...last, error: problem })
  await bury(tx, { ...row, attempts }, { token, problem, at: now })
}

async function filledValues(
  tx: RecordTransactor,
  row: OutboxRow,
  deferredValues: OutboxWriteDeps['deferredValues'],
): Promise<{ values: DeferredValues } | { problem: OutboxProblem }> {
  try {
    const values = await deferredValues(tx, row)
    if (values !== null) return { values }
    const message = 'Values that the call sends were erased or removed, so it is not sent.'
    return { problem: outboxProblem(new AlmanacError('record.erased', message)) }
  } catch (error) {
    // Configuration or a function that the expression reads fails: this row cannot be sent, and holds up no other.
    if (error instanceof AlmanacError && error.kind.class !== 'internal')
      return { problem: outboxProblem(error) }
    throw error
  }
}

async function requeueRows(
  tx: RecordTransactor,
  { ids, acceptRepeat, at }: Requeueing,
): Promise<RequeueResult> {
  const result = { requeued: 0, unrepeatable: 0 }
  for (const id of ids) {
    const row = await tx.outboxRow(id)
    if (row?.state !== 'dead') continue
    if (!acceptRepeat && !isRepeatableCall(row) && row.attempts.length > 0) {
      result.unrepeatable += 1
      continue
    }
    const { attempts } = row
    await tx.putOutbox(
      { ...row, state: 'pending', nextAttemptAt: at, problem: null, priorAttempts: attempts.length },
      null,
    )
    await waitAgain(tx, row)
    result.requeued += 1
  }
  return result
}
