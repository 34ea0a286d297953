// The writes of the outbox, each a short transaction. They run next to saves, in the same thread; calls are made between
// them, outside of any.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { CalloutOutcome } from '#kernel/records/index.ts'
import type { LimitCell } from '../ports/callout-limits.ts'
import type { Clock } from '../ports/clock.ts'
import type { ClaimRequest, OutboxAttempt, OutboxProblem, OutboxRow, StoredLimit } from '../ports/outbox.ts'
import type { RecordStore, RecordTransactor } from '../ports/record-store.ts'
import type { ObjectId } from '#kernel/records/index.ts'
import type { RecordJob } from '../ports/record-jobs.ts'
import { newJob, type DeferredValues } from '../records/index.ts'
import {
  closeRows,
  noteInTransaction,
  requeueRows,
  type Closing,
  type NoteInTransaction,
  type Requeueing,
  type RequeueResult,
} from './handle-rows.ts'
import { endsProcesses, isRepeatableCall, outcomeUnknown } from './lapsed-call.ts'
import { outboxProblem, withoutMessages } from './outbox-problem.ts'
import { attemptEvents, deadEvent, deliveryEvent, heldEvent } from './trace-events.ts'
import { failJob, resumeJob } from './waiting-job.ts'

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
    | { kind: 'delivered'; attempts: readonly OutboxAttempt[]; outcome: CalloutOutcome | null }
    | { kind: 'retry'; attempts: readonly OutboxAttempt[]; at: string }
    /** Costs no attempt. */
    | { kind: 'deferred'; at: string; problem: OutboxProblem }
    | { kind: 'dead'; attempts: readonly OutboxAttempt[]; problem: OutboxProblem; at: string }
  )

export interface OutboxWrites {
  claim(request: ClaimRequest): Promise<ClaimedCall[]>
  /** In one transaction. Returns whether each was written. */
  change(changes: readonly OutboxChange[]): Promise<boolean[]>
  /** Lets claims hold until a later time. */
  extend(extension: { claims: readonly { id: string; token: string }[]; until: string }): Promise<void>
  /** Sends dead rows again, with the same key. */
  requeue(requeueing: Requeueing): Promise<RequeueResult>
  /** Closes dead rows. Returns how many. */
  close(closing: Closing): Promise<number>
  /** Creates a job that handles the dead rows of a filter. */
  startJob(facts: OutboxJobFacts): Promise<RecordJob>
  /** Makes rows due that an open breaker holds up. Returns how many; fewer than 500 if none is left. */
  release(held: { credential: string; at: string }): Promise<number>
  purge(before: string): Promise<number>
  limit(cell: LimitCell): Promise<StoredLimit>
  swapLimit(swap: { cell: LimitCell; version: number; text: string }): Promise<boolean>
}

export type OutboxJobFacts = Pick<RecordJob, 'createdBy' | 'correlationId' | 'total' | 'outbox'>

export interface OutboxWriteDeps {
  store(): Pick<RecordStore, 'write'>
  deferredValues(tx: RecordTransactor, row: OutboxRow): Promise<DeferredValues | null>
  clock(): Clock
  newId(): string
}

interface RowWrites {
  now(): string
  note: NoteInTransaction
}

/** Rows of one transaction: saves wait for it. */
export const maxReleased = 500
const maxPurged = 500

export function outboxWrites({ store, deferredValues, clock, newId }: OutboxWriteDeps): OutboxWrites {
  const writes: RowWrites = { now: () => clock().now(), note: noteInTransaction(newId) }
  const write = <T>(work: (tx: RecordTransactor) => Promise<T>): Promise<T> => store().write(work)
  return {
    claim: (request) =>
      write(async (tx) => {
        for (const row of await tx.lapsedOutbox(request.now))
          await recoverLapsed(writes, tx, row, request.now)
        const calls: ClaimedCall[] = []
        for (const row of await tx.claimOutbox(request)) {
          const filled = await filledValues(tx, row, deferredValues)
          if ('problem' in filled)
            await bury(writes, tx, { row, ...request, at: request.now, attempts: row.attempts, ...filled })
          else calls.push({ row, token: request.token, deferred: filled.values })
        }
        return calls
      }),
    change: (changes) =>
      write(async (tx) => {
        const written: boolean[] = []
        for (const change of changes) written.push(await changeRow(writes, tx, change))
        return written
      }),
    extend: ({ claims, until }) =>
      write(async (tx) => {
        for (const { id, token } of claims) await tx.extendOutbox([id], token, until)
      }),
    requeue: (requeueing) => write((tx) => requeueRows(writes.note, tx, requeueing)),
    close: (closing) => write((tx) => closeRows(writes.note, tx, closing)),
    startJob: (facts) =>
      write(async (tx) => {
        const job = newJob(newId(), writes.now(), {
          ...{ kind: 'outbox', object: '' as ObjectId, scopePath: {}, ...facts },
        })
        await tx.putJob(job)
        return job
      }),
    release: ({ credential, at }) =>
      write(async (tx) => {
        const code = 'integration.breaker_open'
        const rows = await tx.waitingOutbox({ credential, code, now: at }, maxReleased)
        for (const row of rows) await tx.putOutbox({ ...row, nextAttemptAt: at }, null)
        return rows.length
      }),
    purge: async (before) => {
      let removed = 0
      let after: number | null = 0
      while (after !== null) {
        const range: { after: number; limit: number } = { after, limit: maxPurged }
        const part = await write((tx) => tx.purgeOutbox(before, range))
        removed += part.removed
        after = part.last
      }
      return removed
    },
    limit: (cell) => write((tx) => tx.limit(cell)),
    swapLimit: ({ cell, version, text }) => write((tx) => tx.swapLimit(cell, version, text)),
  }
}

async function changeRow(writes: RowWrites, tx: RecordTransactor, reported: OutboxChange): Promise<boolean> {
  const { id, token } = reported
  const row = await tx.outboxRow(id)
  if (row === undefined) return false
  const change = row.isErased === true ? withoutMessages(reported) : reported
  switch (change.kind) {
    case 'delivered': {
      const { attempts } = change
      // What the trace knows of it remains, because the row does not.
      if (!(await tx.removeOutbox(id, token))) return false
      await writes.note(tx, ...attemptEvents(row, attempts, null), deliveryEvent(row, attempts))
      if (change.outcome !== null) await resumeJob(tx, row, change.outcome)
      return true
    }
    case 'attempt':
      return tx.putOutbox({ ...row, attempts: withAttempt(row.attempts, change.attempt) }, token)
    case 'retry': {
      const { attempts, at } = change
      const next = { ...row, state: 'pending', attempts, nextAttemptAt: at, problem: null } as const
      if (!(await tx.putOutbox(next, token))) return false
      await writes.note(tx, ...attemptEvents(row, attempts, at))
      return true
    }
    case 'deferred': {
      const { at, problem } = change
      const next = { ...row, state: 'pending', nextAttemptAt: at, problem } as const
      if (!(await tx.putOutbox(next, token))) return false
      await writes.note(tx, heldEvent(row, problem, { at: writes.now(), until: at }))
      return true
    }
    case 'dead':
      return bury(writes, tx, { row, ...change })
  }
}

const withAttempt = (attempts: readonly OutboxAttempt[], attempt: OutboxAttempt): OutboxAttempt[] => [
  ...attempts.filter(({ n }) => n !== attempt.n),
  attempt,
]

interface Burial {
  row: OutboxRow
  token: string
  attempts: readonly OutboxAttempt[]
  problem: OutboxProblem
  at: string
}

async function bury(
  writes: RowWrites,
  tx: RecordTransactor,
  { row, token, attempts, problem, at }: Burial,
): Promise<boolean> {
  if (!(await tx.putOutbox({ ...row, state: 'dead', attempts, problem }, token))) return false
  const dead = deadEvent(row, attempts.length, problem, at)
  await writes.note(tx, ...attemptEvents(row, attempts, null), dead)
  await failJob(tx, row, problem, at)
  return true
}

/** A worker ended, or lost its claim, in the middle of an attempt that was counted. */
async function recoverLapsed(
  writes: RowWrites,
  tx: RecordTransactor,
  row: OutboxRow,
  now: string,
): Promise<void> {
  const token = (await tx.outboxClaim(row.id))!
  const last = row.attempts.at(-1)
  const isOpen = last !== undefined && last.latencyMs === null
  const problem = outcomeUnknown()
  const attempts = isOpen ? withAttempt(row.attempts, { ...last, error: problem }) : row.attempts
  if (isOpen && (!isRepeatableCall(row) || endsProcesses({ ...row, attempts }))) {
    await bury(writes, tx, { row, token, attempts, problem, at: now })
    return
  }
  await tx.putOutbox({ ...row, state: 'pending', attempts, nextAttemptAt: now }, token)
  await writes.note(tx, ...attemptEvents(row, attempts, now))
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
