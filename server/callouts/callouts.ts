// The executor of callouts. Demands the capability of code outside transactions, and finds out at run time if that
// code is inside one all the same.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { maxSynchronousTimeoutMs, maxTimeoutMs } from '#kernel/components/named-credential/body.ts'
import { OutsideTransaction } from '../ports/outside-transaction.ts'
import { isInsideTransaction } from '../ports/transaction-scope.ts'
import type { AttemptResult } from './attempt-plan.ts'
import type { BreakerPolicy } from './breaker.ts'
import type { StoredBreaker } from './breaker-view.ts'
import { BreakerWatch, type BreakerActor } from './breaker-watch.ts'
import { BudgetShare } from './budget-share.ts'
import type { AttemptReport, Callout, CalloutAttempt, CalloutResult } from './callout.ts'
import { calloutError, calloutOrigin } from './callout-error.ts'
import { buildRequest } from './callout-request.ts'
import type { CalloutsDeps } from './deps.ts'
import { makeAttempt, type CredentialState } from './make-attempt.ts'
import { isRepeatable, nextAttemptDelayMs } from './retry.ts'

export interface ExecuteOptions {
  /** What is left of the time of the operation; at most, and without it, 60 seconds. */
  withinMs?: number | undefined
}

export interface Callouts {
  /**
   * For an operation that waits: tries again as the credential allows, as long as there is time.
   *
   * @throws AlmanacError with the origin `integration.callout`
   */
  execute(capability: OutsideTransaction, call: Callout, options?: ExecuteOptions): Promise<CalloutResult>
  /**
   * For a worker that keeps its own schedule: one attempt, and when the next one follows.
   *
   * @param made attempts that were counted before
   */
  attempt(capability: OutsideTransaction, call: Callout, made: number): Promise<AttemptReport>
  breaker(credential: string): CalloutBreaker
  /** Requests of a named credential that this process has sent and the ledger of its budget does not count yet. */
  unreported(credential: string): number
  /** Returns what this process holds of the budgets. */
  close(): Promise<void>
}

export interface CalloutBreaker {
  state(): Promise<StoredBreaker>
  forceOpen(by: BreakerActor, policy: BreakerPolicy): Promise<void>
  forceClose(by: BreakerActor, policy: BreakerPolicy): Promise<void>
}

export function createCallouts(deps: CalloutsDeps): Callouts {
  const states = new Map<string, CredentialState>()
  const { limits, clock, timer, ids } = deps
  const holder = ids.uuid()
  const newToken = (): string => ids.uuid()
  const stateOf = (credential: string): CredentialState => {
    let state = states.get(credential)
    if (state === undefined) {
      const { onTransition } = deps.observer
      const breaker = new BreakerWatch({ limits, timer, newToken, onTransition }, credential)
      state = { breaker, budget: new BudgetShare({ limits, timer, holder }, credential) }
      states.set(credential, state)
    }
    return state
  }
  const turn = (call: Callout, made: number, limitMs: number, earlier: readonly CalloutAttempt[]) =>
    makeTurn(deps, stateOf(call.credential.key), { call, made, limitMs, earlier })
  return {
    breaker: (credential) => stateOf(credential).breaker,
    unreported: (credential) => states.get(credential)?.budget.unreported ?? 0,
    close: async () => {
      const all = [...states.values()].flatMap(({ breaker, budget }) => [breaker.close(), budget.close()])
      await Promise.all(all)
    },
    attempt: async (capability, call, made) => {
      requireOutside(capability)
      return await turn(call, made, maxTimeoutMs, [])
    },
    execute: (capability, call, options) =>
      executeWithin(capability, call, options?.withinMs ?? maxSynchronousTimeoutMs),
  }

  async function executeWithin(
    capability: OutsideTransaction,
    call: Callout,
    withinMs: number,
  ): Promise<CalloutResult> {
    requireOutside(capability)
    const [at, startedAt] = [clock.now(), timer.elapsedMs()]
    const deadline = startedAt + Math.min(withinMs, maxSynchronousTimeoutMs)
    let attempts: readonly CalloutAttempt[] = []
    const observe = (error: AlmanacError | null): void =>
      deps.observer.onExecuted(call, {
        at,
        attempts,
        error,
        durationMs: Math.round(timer.elapsedMs() - startedAt),
      })
    try {
      for (;;) {
        const report = await turn(call, attempts.length, deadline - timer.elapsedMs(), attempts)
        attempts = report.attempts
        if (report.kind === 'delivered') {
          observe(null)
          const { status, headers, body } = report.response
          return { status, headers, body, attempts }
        }
        if (report.kind !== 'failed' || report.retryInMs === null) throw report.error
        // A target that asks for more time than there is gets no further call.
        if (timer.elapsedMs() + report.retryInMs >= deadline) throw report.error
        await timer.wait(report.retryInMs, { signal: call.signal }).catch(() => {
          throw report.error
        })
      }
    } catch (error) {
      if (error instanceof AlmanacError) observe(error)
      throw error
    }
  }
}

function requireOutside(capability: OutsideTransaction): void {
  if (OutsideTransaction.isGenuine(capability) && !isInsideTransaction()) return
  throw new AlmanacError(
    'integration.inside_transaction',
    'A callout was made inside a transaction, or without the capability of code outside one. Nothing was sent.',
    { origin: calloutOrigin },
  )
}

interface Turn {
  call: Callout
  made: number
  /** Of one attempt. */
  limitMs: number
  /** Attempts of earlier turns of the same caller. */
  earlier: readonly CalloutAttempt[]
}

/** One attempt; a second one at once if the target refused a token that can be replaced. */
async function makeTurn(deps: CalloutsDeps, state: CredentialState, turn: Turn): Promise<AttemptReport> {
  const { call, made, earlier } = turn
  const request = buildRequest(call)
  if ('reason' in request) {
    const error = calloutError(call, 'integration.call_invalid', request.reason, { attempts: earlier })
    return { kind: 'refused', error, attempts: earlier }
  }
  const timeoutMs = Math.min(call.credential.body.timeoutMs, Math.max(1, turn.limitMs))
  const plan = { call, request, n: made + 1, attempts: earlier, timeoutMs, refused: null }
  const first = await makeAttempt(deps, state, plan)
  observeAttempt(deps, call, first)
  if (first.kind !== 'failed' || first.refused === null) return reportOf(deps, turn, first, earlier, made + 1)
  const attempts = [...earlier, first.attempt]
  // A target that refuses a token did not carry the call out, so even a call with one attempt is sent again.
  const second = await makeAttempt(deps, state, { ...plan, n: made + 2, attempts, refused: first.refused })
  observeAttempt(deps, call, second)
  return reportOf(deps, turn, second, attempts, made + 1)
}

function observeAttempt({ observer }: CalloutsDeps, call: Callout, result: AttemptResult): void {
  if (result.kind === 'delivered') observer.onAttempt(call, result.attempt, 'delivered')
  else if (result.kind === 'failed') observer.onAttempt(call, result.attempt, result.outcome)
  else observer.onWithheld(call, result.error)
}

function reportOf(
  { random }: CalloutsDeps,
  { call }: Turn,
  result: AttemptResult,
  before: readonly CalloutAttempt[],
  counted: number,
): AttemptReport {
  if (result.kind === 'deferred')
    return { kind: 'deferred', error: result.error, retryInMs: result.retryInMs, attempts: before }
  if (result.kind === 'refused') return { kind: 'refused', error: result.error, attempts: before }
  const attempts = [...before, result.attempt]
  if (result.kind === 'delivered') return { kind: 'delivered', response: result.response, attempts }
  const { outcome, error, verdict } = result
  const retryInMs = nextAttemptDelayMs({
    policy: call.credential.body.retry,
    attempts: counted,
    isRepeatable: isRepeatable(call.method, call.idempotencyKey?.isDeclared === true),
    verdict,
    random: Buffer.from(random.bytes(4)).readUInt32LE() / 2 ** 32,
  })
  return { kind: 'failed', outcome, error, retryInMs, attempts }
}
