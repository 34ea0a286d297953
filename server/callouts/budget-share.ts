// The part of a named credential's budget that this process holds: calls take from it in memory, and it is renewed
// before it runs out, so that no call waits for the store.
import type { CalloutLimits } from '../ports/callout-limits.ts'
import type { Timer } from '../ports/timer.ts'
import {
  claimSlice,
  emptyLedger,
  returnSlice,
  type Budget,
  type BudgetLedger,
  type SliceGrant,
} from './budget-ledger.ts'
import { changeCell } from './change-cell.ts'

export interface BudgetPermit {
  /** Ends the call; further calls have no effect. */
  release(): void
}

export interface BudgetRefusal {
  lacks: 'requests' | 'concurrency'
  retryAfterMs: number
}

export interface BudgetShareDeps {
  limits: CalloutLimits
  timer: Timer
  /** Identifies this share among those of all processes; never used twice. */
  holder: string
}

/** How long a lease outlasts the longest call. */
const leaseMarginMs = 30_000
/** A lease that is shorter than this, and the longest call, is renewed ahead. */
const renewalMarginMs = 15_000
/** A share that was not used for so long is returned. */
const idleMs = 5000
/** After a claim that did not help, the store is not asked again for this time. */
const refusalMs = 250

/** A refusal that holds until a time of our clock. */
interface LimitReached {
  refusal: BudgetRefusal
  until: number
}

export class BudgetShare {
  readonly #deps: BudgetShareDeps
  readonly #credential: string
  #budget: Budget = { concurrency: 0, requestsPerMinute: 0 }
  #timeoutMs = 0
  #concurrency = 0
  #requests = 0
  #granted = 0
  #endsAt = 0
  #running = 0
  #sent = 0
  #waiting = 0
  #usedAt = 0
  #claim: Promise<void> | null = null
  #isWatched = false
  #limitReached: LimitReached | null = null

  constructor(deps: BudgetShareDeps, credential: string) {
    this.#deps = deps
    this.#credential = credential
  }

  /** @param timeoutMs how long the call can take; its lease lasts longer */
  take(budget: Budget, timeoutMs: number): BudgetPermit | Promise<BudgetPermit | BudgetRefusal> {
    this.#budget = budget
    this.#timeoutMs = timeoutMs
    return this.#fromMemory() ?? this.#afterClaim(timeoutMs)
  }

  /** Requests that were sent and are not in the ledger yet. */
  get unreported(): number {
    return this.#sent
  }

  /** Returns the share, unless calls are in flight. A failure does no harm: the share comes back when its lease ends. */
  async close(): Promise<void> {
    while (this.#claim !== null) await this.#claim.catch(() => {})
    if (this.#running > 0 || this.#endsAt === 0) return
    this.#claim = this.#return()
    await this.#claim.catch(() => {})
  }

  #fromMemory(): BudgetPermit | null {
    const now = this.#deps.timer.elapsedMs()
    const left = this.#endsAt - now - this.#timeoutMs
    const limit = Math.min(this.#concurrency, this.#budget.concurrency)
    if (left < 0 || this.#requests < 1 || this.#running >= limit) return null
    this.#requests -= 1
    this.#sent += 1
    this.#running += 1
    this.#usedAt = now
    if (left < renewalMarginMs || this.#requests < this.#granted / 4) this.#renewAhead()
    let isOpen = true
    return {
      release: () => {
        if (!isOpen) return
        isOpen = false
        this.#running -= 1
        this.#usedAt = this.#deps.timer.elapsedMs()
        if (this.#running === 0) this.#watchIdle()
      },
    }
  }

  async #afterClaim(timeoutMs: number): Promise<BudgetPermit | BudgetRefusal> {
    this.#waiting += 1
    try {
      // The first claim may have begun before this call waited, and others may take what it brings.
      for (let round = 0; round < 4; round += 1) {
        const refusal = this.#currentRefusal()
        if (refusal !== null) return refusal
        await (this.#claim ??= this.#renew())
        this.#timeoutMs = timeoutMs
        const permit = this.#fromMemory()
        if (permit !== null) return permit
      }
      return { lacks: this.#requests < 1 ? 'requests' : 'concurrency', retryAfterMs: refusalMs }
    } finally {
      this.#waiting -= 1
    }
  }

  #currentRefusal(): BudgetRefusal | null {
    if (this.#limitReached === null) return null
    const { refusal, until } = this.#limitReached
    // Calls of this share that have ended since are not in flight any more.
    const isFree = refusal.lacks === 'concurrency' && this.#running < this.#concurrency
    if (!isFree && until > this.#deps.timer.elapsedMs()) return refusal
    this.#limitReached = null
    return null
  }

  #renewAhead(): void {
    if (this.#claim !== null || this.#currentRefusal() !== null) return
    // A failed renewal is repeated by the next call; one that needs it gets the error.
    this.#claim = this.#renew()
    this.#claim.catch(() => {})
  }

  async #renew(): Promise<void> {
    const { timer, holder } = this.#deps
    const sentBefore = this.#sent
    const running = this.#running
    const need = running + this.#waiting
    const concurrency = Math.min(this.#budget.concurrency, Math.max(2 * need, 1))
    const perClaim = Math.ceil(this.#budget.requestsPerMinute / 10)
    const requests = Math.max(this.#requests, this.#waiting, perClaim)
    // What will no longer be held is not used from here on, whether or not the store can be reached.
    this.#concurrency = Math.min(this.#concurrency, Math.max(concurrency, running))
    const startedAt = timer.elapsedMs()
    // Never shorter than before: a longer call can be in flight, and without an answer this process goes by what it had.
    const leaseMs = Math.max(this.#timeoutMs + leaseMarginMs, this.#endsAt - startedAt)
    try {
      const grant = await this.#change((ledger, now) => {
        const claim = { holder, concurrency, requests, running, sent: sentBefore, leaseMs }
        const { ledger: next, grant: result } = claimSlice(ledger, this.#budget, claim, now)
        return { ledger: next, result }
      })
      this.#sent -= sentBefore
      this.#concurrency = grant.concurrency
      this.#requests = grant.requests - this.#sent
      this.#granted = grant.requests
      this.#endsAt = startedAt + leaseMs
      this.#limitReached = refusalOf(grant, timer.elapsedMs())
    } finally {
      this.#claim = null
    }
  }

  /** Calls that begin in the meantime wait for it and claim again. */
  async #return(): Promise<void> {
    const sent = this.#sent
    this.#concurrency = this.#requests = this.#granted = this.#endsAt = 0
    try {
      await this.#change((ledger, now) => ({
        ledger: returnSlice(ledger, this.#deps.holder, sent, now),
        result: undefined,
      }))
      this.#sent -= sent
    } finally {
      this.#claim = null
    }
  }

  #change<T>(decide: (ledger: BudgetLedger, now: number) => { ledger: BudgetLedger; result: T }): Promise<T> {
    const cell = { kind: 'budget', credential: this.#credential } as const
    return changeCell(this.#deps.limits, cell, (text, now) => {
      const { ledger, result } = decide(text === null ? emptyLedger : (JSON.parse(text) as BudgetLedger), now)
      return { text: JSON.stringify(ledger), result }
    })
  }

  #watchIdle(): void {
    if (this.#isWatched) return
    this.#isWatched = true
    void this.#whileUsed().finally(() => (this.#isWatched = false))
  }

  async #whileUsed(): Promise<void> {
    const { timer } = this.#deps
    while (this.#running === 0 && this.#endsAt !== 0) {
      const left = this.#usedAt + idleMs - timer.elapsedMs()
      if (left <= 0) return this.close()
      await timer.wait(left, { isBackground: true })
    }
  }
}

function refusalOf({ lacks, freeInMs }: SliceGrant, now: number): LimitReached | null {
  if (lacks === null) return null
  return { refusal: { lacks, retryAfterMs: Math.max(freeInMs, refusalMs) }, until: now + refusalMs }
}
