// The breaker of a named credential as this process sees it: calls ask it in memory; what changes it goes to the store,
// where the other processes find it.
import { assertNever } from '#kernel/expr/assert-never.ts'
import type { CalloutLimits, LimitCell } from '../ports/callout-limits.ts'
import type { Timer } from '../ports/timer.ts'
import {
  advanceBreaker,
  answerOf,
  closedBreaker,
  type BreakerEvent,
  type BreakerPolicy,
  type BreakerState,
  type BreakerTransition,
} from './breaker.ts'
import { changeCell } from './change-cell.ts'

/** Permits one call. */
export interface BreakerPass {
  /** Of the probe; null for a call through a closed breaker. */
  token: string | null
}

export interface BreakerRefusal {
  /** Milliseconds until a call can be tried; null if only an administrator can close the breaker. */
  retryAfterMs: number | null
}

export interface BreakerWatchDeps {
  limits: CalloutLimits
  timer: Timer
  newToken(): string
  /** Each transition is reported once, by the process that made it. */
  onTransition(credential: string, transition: BreakerTransition): void
}

/** A view that is older is read again while calls go on. */
const viewAgeMs = 1000
/** A view that is older is not used. */
const maxViewAgeMs = 3000
/** Failures that only count are written together. */
const flushMs = 100
/** How long other calls wait while a probe is being made. */
const probeWaitMs = 1000
/** How long the lease of a probe outlasts its call. */
const leaseMarginMs = 15_000

interface View {
  state: BreakerState
  /** Of the store's clock, at `readAt` of ours. */
  now: number
  readAt: number
}

interface Failure {
  /** Of our clock. */
  at: number
  policy: BreakerPolicy
}

export class BreakerWatch {
  readonly #deps: BreakerWatchDeps
  readonly #credential: string
  #view: View | null = null
  #reading: Promise<View> | null = null
  /** Failures that are not in the store yet. */
  #pending: Failure[] = []
  #writing: Promise<void> | null = null

  constructor(deps: BreakerWatchDeps, credential: string) {
    this.#deps = deps
    this.#credential = credential
  }

  /** @param timeoutMs how long the call can take; a probe may take this long to report */
  admit(
    policy: BreakerPolicy,
    timeoutMs: number,
  ): BreakerPass | BreakerRefusal | Promise<BreakerPass | BreakerRefusal> {
    const view = this.#view
    const ageMs = view === null ? Infinity : this.#deps.timer.elapsedMs() - view.readAt
    if (view === null || ageMs > maxViewAgeMs)
      return this.#read().then((read) => this.#admitBy(read, policy, timeoutMs))
    if (ageMs > viewAgeMs) this.#read().catch(() => {})
    return this.#admitBy(view, policy, timeoutMs)
  }

  /** Reports how a call that was admitted ended: `none` if it shows nothing about the target. */
  async report(
    pass: BreakerPass,
    health: 'success' | 'failure' | 'none',
    policy: BreakerPolicy,
  ): Promise<void> {
    if (pass.token !== null) {
      await this.#change({ type: 'report', health, token: pass.token }, policy)
      return
    }
    if (health !== 'failure' || this.#view === null) return
    // This process sees it at once, the others when it is written.
    const failure = { at: this.#deps.timer.elapsedMs(), policy }
    this.#view = withFailures(this.#view, [failure])
    this.#pending.push(failure)
    this.#writing ??= this.#writePending().finally(() => (this.#writing = null))
  }

  /** Opens the breaker until `forceClose`. */
  async forceOpen(actor: string, policy: BreakerPolicy): Promise<void> {
    await this.#change({ type: 'force_open', actor }, policy)
  }

  async forceClose(actor: string, policy: BreakerPolicy): Promise<void> {
    await this.#change({ type: 'force_close', actor }, policy)
  }

  /** The state in the store. */
  async state(): Promise<BreakerState> {
    return (await this.#read()).state
  }

  /** Resolves when everything is written. */
  async close(): Promise<void> {
    await this.#writing
  }

  #admitBy(
    view: View,
    policy: BreakerPolicy,
    timeoutMs: number,
  ): BreakerPass | BreakerRefusal | Promise<BreakerPass | BreakerRefusal> {
    const now = nowOf(view, this.#deps.timer)
    const answer = answerOf(view.state, now)
    switch (answer.kind) {
      case 'pass':
        return { token: null }
      case 'refuse':
        return refusalOf(view.state, answer.until, now)
      case 'probe':
        return this.#probe(policy, timeoutMs)
      default:
        return assertNever(answer)
    }
  }

  async #probe(policy: BreakerPolicy, timeoutMs: number): Promise<BreakerPass | BreakerRefusal> {
    const token = this.#deps.newToken()
    const event = { type: 'probe', token, leaseMs: timeoutMs + leaseMarginMs } as const
    const { isChanged, view } = await this.#change(event, policy)
    if (isChanged) return { token }
    const answer = answerOf(view.state, view.now)
    if (answer.kind === 'pass') return { token: null }
    return refusalOf(view.state, answer.kind === 'refuse' ? answer.until : view.now, view.now)
  }

  #read(): Promise<View> {
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

  async #change(event: BreakerEvent, policy: BreakerPolicy): Promise<{ isChanged: boolean; view: View }> {
    const { timer } = this.#deps
    const { change, state, now } = await changeCell(this.#deps.limits, this.#cell, (text, storeNow) => {
      const before = stateOf(text)
      const made = advanceBreaker(before, event, policy, storeNow)
      const result = { change: made, state: made?.state ?? before, now: storeNow }
      return { text: made === null ? null : JSON.stringify(made.state), result }
    })
    const view = { state, now, readAt: timer.elapsedMs() }
    this.#view = view
    this.#announce(change?.transition)
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

  async #writeFailures(failures: readonly Failure[]): Promise<void> {
    const { timer } = this.#deps
    const { transition, view } = await changeCell(this.#deps.limits, this.#cell, (text, now) => {
      const before = { state: stateOf(text), now, readAt: timer.elapsedMs() }
      const after = withFailures(before, failures)
      const result = { view: after, transition: after.transition }
      return { text: after.state === before.state ? null : JSON.stringify(after.state), result }
    })
    this.#view = withFailures(view, this.#pending)
    this.#announce(transition)
  }

  #announce(transition: BreakerTransition | null | undefined): void {
    if (transition != null) this.#deps.onTransition(this.#credential, transition)
  }
}

/** A probe mostly ends long before its lease does, and then the breaker is closed. */
function refusalOf({ state }: BreakerState, until: number | null, now: number): BreakerRefusal {
  if (until === null) return { retryAfterMs: null }
  const left = until - now
  return { retryAfterMs: state === 'half_open' ? Math.min(left, probeWaitMs) : left }
}

/** Counts failures, each at its own time. */
function withFailures(
  view: View,
  failures: readonly Failure[],
): View & { transition: BreakerTransition | null } {
  let { state } = view
  let transition: BreakerTransition | null = null
  for (const { at, policy } of failures) {
    const event = { type: 'report', health: 'failure', token: null } as const
    const change = advanceBreaker(state, event, policy, Math.round(view.now + at - view.readAt))
    if (change === null) continue
    state = change.state
    transition ??= change.transition
  }
  return { ...view, state, transition }
}

function nowOf({ now, readAt }: View, timer: Timer): number {
  return now + timer.elapsedMs() - readAt
}

function stateOf(text: string | null): BreakerState {
  return text === null ? closedBreaker : (JSON.parse(text) as BreakerState)
}
