// Sends the calls in the outbox. Claims rows in a short transaction, calls outside of any, and finishes with the token of the
// claim; an attempt is counted before it is sent (docs/reference/callouts.md).
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { NamedCredentialBody } from '#kernel/components/named-credential/body.ts'
import type { Callout, CalloutAttempt, Callouts, OutsideTransaction } from '../callouts/index.ts'
import type { Clock, IdGenerator } from '../ports/clock.ts'
import type { OutboxAttempt } from '../ports/outbox.ts'
import type { Timer } from '../ports/timer.ts'
import { batchedChanges } from './batched-changes.ts'
import { callRequest } from './call-request.ts'
import type { OperationRequest } from '../service-calls/index.ts'
import { operationOfCall, type OperationAt } from './operation-of-call.ts'
import { outboxProblem, storedProblem } from './outbox-problem.ts'
import type { ClaimedCall, OutboxWrites } from './outbox-writes.ts'

/** A call that has ended, for the execution trace. */
export interface Delivery {
  call: ClaimedCall
  attempts: readonly OutboxAttempt[]
  result: 'delivered' | 'retry' | 'deferred' | 'dead'
}

export interface OutboxWorkerDeps {
  writes: Pick<OutboxWrites, 'claim' | 'change' | 'extend' | 'purge'>
  callouts: Pick<Callouts, 'attempt'>
  capability: OutsideTransaction
  /** The named credential of a row now; undefined if it was removed since. */
  credentialOf(key: string, generation: number): { key: string; body: NamedCredentialBody } | undefined
  operationAt: OperationAt
  /** How many calls each named credential allows at the same time, by its key. */
  limits(): ReadonlyMap<string, number>
  /** When the next row is due; null without one. */
  nextAt(): Promise<string | null>
  clock: Clock
  timer: Timer
  ids: IdGenerator
  onDelivery(delivery: Delivery): void
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
  const token = ids.uuid()
  const changes = batchedChanges((list) => writes.change(list))
  /** By the id of the row. */
  const inFlight = new Map<string, Promise<void>>()
  const closing = new AbortController()
  /** Ends calls that are still being made when the worker has waited long enough for them. */
  const ending = new AbortController()
  let isWanted = false
  let running: Promise<void> | null = null
  let sleeping: AbortController | null = null

  const later = (ms: number): string => new Date(Date.parse(clock.now()) + ms).toISOString()
  /** More rows of a credential than it allows would only be put back. */
  const concurrencies = (): ReadonlyMap<string, number> =>
    new Map([...deps.limits()].map(([key, limit]) => [key, Math.min(limit, maxPerCredential)]))
  const claim = (): Promise<ClaimedCall[]> =>
    writes.claim({
      ...{ now: clock.now(), until: later(lease.ms), token, limit: maxInFlight - inFlight.size },
      ...{ limits: concurrencies(), defaultLimit: maxPerCredential },
    })
  const start = (call: ClaimedCall): void => {
    const { id } = call.row
    const ended = deliver({ ...deps, token, changes, later, signal: ending.signal }, call)
      .catch(onError)
      .finally(() => {
        inFlight.delete(id)
        wake()
      })
    inFlight.set(id, ended)
  }
  const run = async (): Promise<void> => {
    while (isWanted && !closing.signal.aborted) {
      isWanted = false
      if (inFlight.size >= maxInFlight) return
      for (const call of await claim()) {
        start(call)
        isWanted = true
      }
    }
    await sleep()
  }
  /** Until the next row is due. */
  const sleep = async (): Promise<void> => {
    const at = await deps.nextAt()
    if (at === null || closing.signal.aborted) return
    const left = Date.parse(at) - Date.parse(clock.now())
    // A row that is due and was not claimed waits for calls of its credential, whose end wakes this worker.
    const ms = left > 0 ? left : lookMs
    if (ms >= lookMs) return
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
  void repeat(lease.renewMs, async () => {
    const ids = [...inFlight.keys()]
    if (ids.length > 0) await writes.extend({ ids, token, until: later(lease.ms) }).catch(onError)
  })
  void repeat(purge.everyMs, () => writes.purge(later(-purge.afterMs)).catch(onError))
  return {
    wake,
    close: async () => {
      closing.abort()
      sleeping?.abort()
      await running
      const end = setTimeout(() => ending.abort(), closeMs)
      await Promise.all(inFlight.values())
      clearTimeout(end)
    },
  }
}

interface Delivering extends OutboxWorkerDeps {
  token: string
  changes: ReturnType<typeof batchedChanges>
  later(ms: number): string
  signal: AbortSignal
}

async function deliver(deps: Delivering, call: ClaimedCall): Promise<void> {
  const { row } = call
  const { token, changes, later, onDelivery } = deps
  const claimed = { id: row.id, token }
  const credential = deps.credentialOf(row.credential, row.effect.generation)
  const dead = async (attempts: readonly OutboxAttempt[], error: AlmanacError): Promise<void> => {
    const problem = outboxProblem(error)
    if (await changes.write({ ...claimed, kind: 'dead', attempts, problem }))
      onDelivery({ call, attempts, result: 'dead' })
  }
  if (credential === undefined)
    return dead(
      row.attempts,
      new AlmanacError(
        'integration.call_invalid',
        `The named credential ${row.credential} does not exist any more, so the call is not sent.`,
      ),
    )
  let operation: OperationRequest | null
  try {
    operation = operationOfCall(row.effect, call.deferred, deps.operationAt)
  } catch (error) {
    if (!(error instanceof AlmanacError)) throw error
    return dead(row.attempts, error)
  }
  const made = row.attempts.length - row.priorAttempts
  const callout = calloutOf(call, { credential, operation, signal: deps.signal }, async (attempt) => {
    const counted = {
      ...attempt,
      n: attempt.n + row.priorAttempts,
      status: null,
      latencyMs: null,
      error: null,
    }
    if (!(await changes.write({ ...claimed, kind: 'attempt', attempt: counted })))
      throw new Error('Another worker has taken over the call.')
  })
  const report = await deps.callouts.attempt(deps.capability, callout, made)
  const attempts = [...row.attempts, ...report.attempts.map((each) => storedAttempt(each, row.priorAttempts))]
  switch (report.kind) {
    case 'delivered':
      if (await changes.write({ ...claimed, kind: 'delivered' }))
        onDelivery({ call, attempts, result: 'delivered' })
      return
    case 'deferred': {
      const problem = outboxProblem(report.error)
      if (await changes.write({ ...claimed, kind: 'deferred', at: later(report.retryInMs), problem }))
        onDelivery({ call, attempts, result: 'deferred' })
      return
    }
    case 'refused':
      return dead(attempts, report.error)
    case 'failed':
      if (report.retryInMs === null) return dead(attempts, finalError(report))
      if (await changes.write({ ...claimed, kind: 'retry', attempts, at: later(report.retryInMs) }))
        onDelivery({ call, attempts, result: 'retry' })
  }
}

/** An attempt of which nobody knows whether the target has carried it out is not a failure like any other. */
function finalError({ outcome, error }: { outcome: string; error: AlmanacError }): AlmanacError {
  if (outcome !== 'unknown') return error
  return new AlmanacError(
    'integration.outcome_unknown',
    `It is not known whether the target has carried out the call: ${error.message}`,
    { cause: error },
  )
}

const storedAttempt = (
  { n, at, endpoint, status, latencyMs, error }: CalloutAttempt,
  before: number,
): OutboxAttempt => ({
  ...{ n: n + before, at, endpoint, status, latencyMs },
  error: error === null ? null : storedProblem(error),
})

function calloutOf(
  { row, deferred }: ClaimedCall,
  {
    credential,
    operation,
    signal,
  }: Pick<Callout, 'credential' | 'signal'> & {
    operation: OperationRequest | null
  },
  onAttempt: NonNullable<Callout['onAttempt']>,
): Callout {
  const { effect, correlationId, id } = row
  const request = callRequest(effect, deferred)
  const { payload, idempotencyKey } = request
  return {
    ...{ credential, signal, actor: effect.actor, correlationId, onAttempt },
    ...{ method: request.method as Callout['method'], path: request.path },
    ...{ pathParams: request.pathParams, query: request.query },
    ...(payload === null ? {} : { body: { bytes: Buffer.from(payload), mediaType: 'application/json' } }),
    ...(operation === null ? {} : { pathParams: {}, body: undefined, ...operation }),
    idempotencyKey: { value: idempotencyKey ?? id, isDeclared: idempotencyKey !== null },
  }
}
