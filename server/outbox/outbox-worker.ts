// Sends the calls in the outbox. Claims rows in a short transaction, calls outside of any, and finishes with the token of the
// claim; an attempt is counted before it is sent (docs/reference/callouts.md).
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { CalloutOutcome } from '#kernel/records/index.ts'
import type {
  Callout,
  CalloutAttempt,
  CalloutResponse,
  Callouts,
  OutsideTransaction,
} from '../callouts/index.ts'
import type { Clock, IdGenerator } from '../ports/clock.ts'
import type { OutboxAttempt } from '../ports/outbox.ts'
import type { Timer } from '../ports/timer.ts'
import { batchedWrites, type BatchedWrites } from './batched-writes.ts'
import { createClaimWorker, type Claimed, type ClaimWork, type ClaimWorker } from './claim-worker.ts'
import { outboxProblem, storedProblem, unknownOutcome, unreadableOutcome } from './outbox-problem.ts'
import { waitAgain } from './waiting-time.ts'
import type { ClaimedCall, OutboxChange, OutboxWrites } from './outbox-writes.ts'
import { storedCallout, storedOutcome, type CallTargets } from './stored-callout.ts'

export interface OutboxWorkerDeps {
  writes: Pick<OutboxWrites, 'claim' | 'change' | 'extend' | 'purge'>
  callouts: Pick<Callouts, 'attempt'>
  capability: OutsideTransaction
  targets: CallTargets
  /** How many calls each named credential allows at the same time, by its key. */
  limits(): ReadonlyMap<string, number>
  /** When the next row is due; null without one. */
  nextAt(): Promise<string | null>
  clock: Clock
  timer: Timer
  ids: IdGenerator
  /** Called once an automation can go on that has waited for a call. */
  onJob(): void
  onError(error: unknown): void
}

export type OutboxWorker = ClaimWorker

/** Calls that are made at once. */
const maxInFlight = 128
/** Rows of one credential that are claimed at once, if its budget allows more. */
const maxPerCredential = 64
/** How long closed rows stay, in milliseconds. */
const keptMs = 90 * 86_400_000

type ClaimedRow = ClaimedCall & Claimed

export function createOutboxWorker(deps: OutboxWorkerDeps): OutboxWorker {
  const { writes, clock, timer, ids, onError } = deps
  const changes = batchedWrites((list: readonly OutboxChange[]) => writes.change(list))
  /** More rows of a credential than it allows would only be put back. */
  const concurrencies = (): ReadonlyMap<string, number> =>
    new Map([...deps.limits()].map(([key, limit]) => [key, Math.min(limit, maxPerCredential)]))
  return createClaimWorker<ClaimedRow>({
    ...{ clock, timer, ids, onError, maxInFlight, nextAt: deps.nextAt },
    claim: async (round) => {
      const calls = await writes.claim({
        ...{ ...round, limits: concurrencies(), defaultLimit: maxPerCredential },
      })
      return calls.map((call) => ({ ...call, id: call.row.id }))
    },
    extend: (extension) => writes.extend(extension),
    run: (call, work) => deliver({ ...deps, ...work, changes }, call),
    purge: () => writes.purge(new Date(Date.parse(clock.now()) - keptMs).toISOString()),
  })
}

interface Delivering extends OutboxWorkerDeps, ClaimWork {
  changes: BatchedWrites<OutboxChange, boolean>
}

async function deliver(deps: Delivering, call: ClaimedCall): Promise<void> {
  const { row, token } = call
  const { changes, isHeld, later } = deps
  const claimed = { id: row.id, token }
  const dead = async (attempts: readonly OutboxAttempt[], error: AlmanacError): Promise<void> => {
    const problem = outboxProblem(error)
    await changes.write({ ...claimed, kind: 'dead', attempts, problem, at: later(0) })
  }
  let prepared: Callout
  try {
    prepared = await storedCallout(row, call.deferred, deps.targets)
  } catch (error) {
    // That a server is closing or busy does not mean that the call is wrong.
    if (error instanceof AlmanacError && !error.kind.retriable) return dead(row.attempts, error)
    throw error
  }
  const made = row.attempts.length - row.priorAttempts
  const onAttempt: Callout['onAttempt'] = async (attempt) => {
    const counted = {
      ...attempt,
      n: attempt.n + row.priorAttempts,
      status: null,
      latencyMs: null,
      error: null,
    }
    if (!(await changes.write({ ...claimed, kind: 'attempt', attempt: counted })))
      throw new Error('Another worker has taken over the call.')
    if (!isHeld()) throw new Error('Another worker could have taken over the call, so it is not sent.')
  }
  const callout = { ...prepared, signal: deps.signal, onAttempt, maySend: isHeld }
  const report = await deps.callouts.attempt(deps.capability, callout, made)
  const attempts = [...row.attempts, ...report.attempts.map((each) => storedAttempt(each, row.priorAttempts))]
  switch (report.kind) {
    case 'delivered': {
      const outcome = await outcomeOf(deps, call, report.response)
      if (outcome instanceof AlmanacError) return dead(attempts, outcome)
      const isWritten = await changes.write({ ...claimed, kind: 'delivered', attempts, outcome })
      if (isWritten && row.job !== null) deps.onJob()
      return
    }
    case 'deferred': {
      const wait = waitAgain(report.error, row.problem, deps.clock.now())
      if ('end' in wait) return dead(attempts, wait.end)
      const problem = { ...outboxProblem(report.error), ...(wait.since !== null && { since: wait.since }) }
      await changes.write({ ...claimed, kind: 'deferred', at: later(report.retryInMs), problem })
      return
    }
    case 'refused':
      return dead(attempts, report.error)
    case 'failed':
      if (report.retryInMs === null)
        return dead(attempts, report.outcome === 'unknown' ? unknownOutcome(report.error) : report.error)
      await changes.write({ ...claimed, kind: 'retry', attempts, at: later(report.retryInMs) })
  }
}

/** What the automation goes on with that waits for the call; an error if it cannot be read. */
async function outcomeOf(
  { targets, onError }: Delivering,
  { row }: ClaimedCall,
  response: CalloutResponse,
): Promise<CalloutOutcome | null | AlmanacError> {
  if (row.job === null) return null
  try {
    return await storedOutcome(row, response, targets)
  } catch (error) {
    if (error instanceof AlmanacError) return error
    // The call has been carried out, so no fault of ours may send it again.
    onError(error)
    return unreadableOutcome()
  }
}

const storedAttempt = (
  { n, at, endpoint, status, latencyMs, error }: CalloutAttempt,
  before: number,
): OutboxAttempt => ({
  ...{ n: n + before, at, endpoint, status, latencyMs },
  error: error === null ? null : storedProblem(error),
})
