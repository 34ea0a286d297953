// The breaker of a named credential as this process sees it: calls ask it in memory; what changes it goes to the store,
// where the other processes find it.
import { assertNever } from '#kernel/expr/assert-never.ts'
import type { CalloutLimits, LimitCell } from '../ports/callout-limits.ts'
import type { Timer } from '../ports/timer.ts'
import {
  advanceBreaker,
  answerOf,
  type BreakerEvent,
  type BreakerPolicy,
  type BreakerTransition,
} from './breaker.ts'
import {
  nowOf,
  refusalOf,
  stateOf,
  withFailures,
  withLast,
  type BreakerRefusal,
  type BreakerView,
  type CountedFailure,
  type StoredBreaker,
} from './breaker-view.ts'
import { changeCell } from './change-cell.ts'

/** Permits one call. */
export interface BreakerPass {
  /** Of the probe; null for a call through a closed breaker. */
  token: string | null
}

/** Who forces a breaker. */
export interface BreakerActor {
  actor: string
  correlationId: string
  reason: string
}

export interface BreakerWatchDeps {
  limits: CalloutLimits
  timer: Timer
  newToken(): string
  /** See `CalloutObserver`. */
  onTransition(credential: string, transition: BreakerTransition, correlationId: string): void
}

/** A view that is older is read again while calls go on. */
const viewAgeMs = 1000
/** A view that is older is not used. */
const maxBreakerViewAgeMs = 3000
/** Failures that only count are written together. */
const flushMs = 100
/** How long the lease of a probe outlasts its call. */
const leaseMarginMs = 15_000

export class BreakerWatch {
  readonly #deps: BreakerWatchDeps
  readonly #credential: string
  #view: BreakerView | null = null
  #reading: Promise<BreakerView> | null = null
  /** Failures that are not in the store yet. */
  #pending: CountedFailure[] = []
  #writing: Promise<void> | null = null

  constructor(deps: BreakerWatchDeps, credential: string) {
    this.#deps = deps
    this.#credential = credential
  }

  /** @param timeoutMs how long the call can take; a probe may take this long to report */
  admit(
    policy: BreakerPolicy,
    timeoutMs: number,
    correlationId: string,
  ): BreakerPass | BreakerRefusal | Promise<BreakerPass | BreakerRefusal> {
    const view = this.#view
    const ageMs = view === null ? Infinity : this.#deps.timer.elapsedMs() - view.readAt
    if (view === null || ageMs > maxBreakerViewAgeMs)
      return this.#read().then((read) => this.#admitBy(read, policy, timeoutMs, correlationId))
    if (ageMs > viewAgeMs) this.#read().catch(() => {})
    return this.#admitBy(view, policy, timeoutMs, correlationId)
  }

  /** Reports how a call that was admitted ended: `none` if it shows nothing about the target. */
  async report(
    pass: BreakerPass,
    health: 'success' | 'failure' | 'none',
    policy: BreakerPolicy,
    correlationId: string,
  ): Promise<void> {
    if (pass.token !== null) {
      await this.#change({ type: 'report', health, token: pass.token }, policy, correlationId)
      return
    }
    if (health !== 'failure' || this.#view === null) return
    // This process sees it at once, the others when it is written.
    const failure = { at: this.#deps.timer.elapsedMs(), policy, correlationId }
    this.#view = withFailures(this.#view, [failure])
    this.#pending.push(failure)
    this.#writing ??= this.#writePending().finally(() => (this.#writing = null))
  }

  /** Opens the breaker until `forceClose`. */
  async forceOpen(by: BreakerActor, policy: BreakerPolicy): Promise<void> {
    await this.#change({ type: 'force_open', actor: by.actor }, policy, by.correlationId, by.reason)
  }

  async forceClose(by: BreakerActor, policy: BreakerPolicy): Promise<void> {
    await this.#change({ type: 'force_close', actor: by.actor }, policy, by.correlationId, by.reason)
  }

  /** The state in the store. */
  async state(): Promise<StoredBreaker> {
    return (await this.#read()).state
  }

  /** Resolves when everything is written. */
  async close(): Promise<void> {
    await this.#writing
  }

  #admitBy(
    view: BreakerView,
    policy: BreakerPolicy,
    timeoutMs: number,
    correlationId: string,
  ): BreakerPass | BreakerRefusal | Promise<BreakerPass | BreakerRefusal> {
    const now = nowOf(view, this.#deps.timer)
    const answer = answerOf(view.state, now)
    switch (answer.kind) {
      case 'pass':
        return { token: null }
      case 'refuse':
        return refusalOf(view.state, answer.until, now)
      case 'probe':
        return this.#probe(policy, timeoutMs, correlationId)
      default:
        return assertNever(answer)
    }
  }

  async #probe(
    policy: BreakerPolicy,
    timeoutMs: number,
    correlationId: string,
  ): Promise<BreakerPass | BreakerRefusal> {
    const token = this.#deps.newToken()
    const event = { type: 'probe', token, leaseMs: timeoutMs + leaseMarginMs } as const
    const { isChanged, view } = await this.#change(event, policy, correlationId)
    if (isChanged) return { token }
    const answer = answerOf(view.state, view.now)
    if (answer.kind === 'pass') return { token: null }
    return refusalOf(view.state, answer.kind === 'refuse' ? answer.until : view.now, view.now)
  }

  #read(): Promise<BreakerView> {
    this.#reading ??= this.#deps.limits
      .read(this.#cell)
      .then(({ text, now }) => {
        const view = { state: stateOf(text), now, readAt: this.#deps.timer.elapsedMs() }
        // What is being written could be in the text already.
        if (this.#writing !== null && this.#view !== null) return this.#view
        return (this.#view = view)
      })
      .finally(() => (this.#reading = null))
    return this.#reading
  }

  get #cell(): LimitCell {
    return { kind: 'breaker', credential: this.#credential }
  }

  async #change(
    event: BreakerEvent,
    policy: BreakerPolicy,
    correlationId: string,
    reason?: string,
  ): Promise<{ isChanged: boolean; view: BreakerView }> {
    const { timer } = this.#deps
    const { change, state, now } = await changeCell(this.#deps.limits, this.#cell, (text, storeNow) => {
      const before = stateOf(text)
      const made = advanceBreaker(before, event, policy, storeNow)
      const after =
        made === null ? before : withLast(made.state, { before, transition: made.transition, reason })
      const result = { change: made, state: after, now: storeNow }
      return { text: made === null ? null : JSON.stringify(after), result }
    })
    const view = { state, now, readAt: timer.elapsedMs() }
    this.#view = view
    this.#announce(change?.transition, correlationId)
    return { isChanged: change !== null, view }
  }

  async #writePending(): Promise<void> {
    while (this.#pending.length > 0) {
      const failures = this.#pending
      this.#pending = []
      // Failures that cannot be written are not worth an error: the target fails anyway.
      await this.#writeFailures(failures).catch(() => {})
      if (this.#pending.length > 0) await this.#deps.timer.wait(flushMs, { isBackground: true })
    }
  }

  async #writeFailures(failures: readonly CountedFailure[]): Promise<void> {
    const { timer } = this.#deps
    const { transition, correlationId, view } = await changeCell(
      this.#deps.limits,
      this.#cell,
      (text, now) => {
        const before = { state: stateOf(text), now, readAt: timer.elapsedMs() }
        const after = withFailures(before, failures)
        const result = { view: after, transition: after.transition, correlationId: after.correlationId }
        return { text: after.state === before.state ? null : JSON.stringify(after.state), result }
      },
    )
    this.#view = withFailures(view, this.#pending)
    this.#announce(transition, correlationId)
  }

  #announce(transition: BreakerTransition | null | undefined, correlationId: string): void {
    if (transition != null) this.#deps.onTransition(this.#credential, transition, correlationId)
  }
}
