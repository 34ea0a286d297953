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
import { batchedChanges } from './batched-changes.ts'
import { outboxProblem, storedProblem, unknownOutcome, unreadableOutcome } from './outbox-problem.ts'
import { waitAgain } from './waiting-time.ts'
import type { ClaimedCall, OutboxWrites } from './outbox-writes.ts'
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

export interface OutboxWorker {
  /** Looks for calls that are due; called after a save that left one. */
  wake(): void
  /** Resolves once the calls that are being made have ended; after ten seconds they are aborted. */
  close(): Promise<void>
}

/** Calls that are made at once. */
const maxInFlight = 128
/** Rows of one credential that are claimed at once, if its budget allows more. */
const maxPerCredential = 64
/** How long a claim holds without a sign of its worker, and how often the worker gives one, in milliseconds. */
const lease = { ms: 30_000, renewMs: 10_000 }
/** How often rows are looked for that another process has left. */
const lookMs = 5000
/** How long calls that are being made have to end when the worker closes. */
const closeMs = 10_000
/** How often closed rows are removed, and how long they stay. */
const purge = { everyMs: 3_600_000, afterMs: 90 * 86_400_000 }

export function createOutboxWorker(deps: OutboxWorkerDeps): OutboxWorker {
  const { writes, clock, timer, ids, onError } = deps
  const changes = batchedChanges((list) => writes.change(list))
  /** By the id of the row. */
  const inFlight = new Map<string, { token: string; ended: Promise<void> }>()
  const closing = new AbortController()
  /** Ends calls that are still being made when the worker has waited long enough for them. */
  const ending = new AbortController()
  let isWanted = false
  let running: Promise<void> | null = null
  let sleeping: AbortController | null = null

  const now = (): number => Date.parse(clock.now())
  const later = (ms: number): string => new Date(now() + ms).toISOString()
  let renewedAt = now()
  const renew = async (): Promise<void> => {
    renewedAt = now()
    const claims = [...inFlight].map(([id, { token }]) => ({ id, token }))
    if (claims.length > 0) await writes.extend({ claims, until: later(lease.ms) })
  }
  /** More rows of a credential than it allows would only be put back. */
  const concurrencies = (): ReadonlyMap<string, number> =>
    new Map([...deps.limits()].map(([key, limit]) => [key, Math.min(limit, maxPerCredential)]))
  /** Each claim has a token of its own: what a call that lost its claim still writes does not count for the next one. */
  const claim = async (): Promise<ClaimedCall[]> => {
    // After a pause of the process or the machine, its own calls must not look as if they were left.
    if (now() - renewedAt > 2 * lease.renewMs) await renew()
    return writes.claim({
      ...{ now: clock.now(), until: later(lease.ms), token: ids.uuid(), limit: maxInFlight - inFlight.size },
      ...{ limits: concurrencies(), defaultLimit: maxPerCredential },
    })
  }
  const start = (call: ClaimedCall): void => {
    const { row, token } = call
    const ended = deliver({ ...deps, changes, now, later, signal: ending.signal }, call)
      .catch(onError)
      .finally(() => {
        if (inFlight.get(row.id)?.token === token) inFlight.delete(row.id)
        wake()
      })
    inFlight.set(row.id, { token, ended })
  }
  const run = async (): Promise<void> => {
    while (isWanted && !closing.signal.aborted) {
      isWanted = false
      if (inFlight.size >= maxInFlight) return
      // A claim is a write, which an outbox without due rows does not need.
      const at = await deps.nextAt()
      if (at === null) return
      const left = Date.parse(at) - now()
      if (left > 0) return sleep(left)
      for (const call of await claim()) {
        start(call)
        isWanted = true
      }
    }
  }
  /** A row that is due and was not claimed waits for calls of its credential, whose end wakes this worker. */
  const sleep = (ms: number): void => {
    if (ms >= lookMs || closing.signal.aborted) return
    sleeping = new AbortController()
    const { signal } = sleeping
    timer.wait(ms, { signal, isBackground: true }).then(wake, () => undefined)
  }
  function wake(): void {
    isWanted = true
    sleeping?.abort()
    if (closing.signal.aborted) return
    running ??= run()
      .catch(onError)
      .finally(() => {
        running = null
        if (isWanted && inFlight.size < maxInFlight) wake()
      })
  }
  const repeat = async (ms: number, work: () => unknown): Promise<void> => {
    while (!closing.signal.aborted) {
      await timer.wait(ms, { signal: closing.signal, isBackground: true }).catch(() => undefined)
      if (!closing.signal.aborted) await work()
    }
  }
  void repeat(lookMs, wake)
  void repeat(lease.renewMs, () => renew().catch(onError))
  // What an earlier process has left.
  wake()
  void repeat(purge.everyMs, () => writes.purge(later(-purge.afterMs)).catch(onError))
  return {
    wake,
    close: async () => {
      closing.abort()
      sleeping?.abort()
      await running
      const end = setTimeout(() => ending.abort(), closeMs)
      await Promise.all([...inFlight.values()].map(({ ended }) => ended))
      clearTimeout(end)
    },
  }
}

interface Delivering extends OutboxWorkerDeps {
  changes: ReturnType<typeof batchedChanges>
  now(): number
  later(ms: number): string
  signal: AbortSignal
}

async function deliver(deps: Delivering, call: ClaimedCall): Promise<void> {
  const { row, token } = call
  const { changes, now, later } = deps
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
    const begun = now()
    if (!(await changes.write({ ...claimed, kind: 'attempt', attempt: counted })))
      throw new Error('Another worker has taken over the call.')
    // The process stood still: the claim could have ended since.
    if (now() - begun > lease.ms - 2 * lease.renewMs)
      throw new Error('Another worker could have taken over the call, so it is not sent.')
  }
  const callout = { ...prepared, signal: deps.signal, onAttempt }
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
