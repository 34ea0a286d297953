// Who holds which part of the budget of a named credential: pure functions over the ledger that all processes share.
// A part goes out with a lease; the parts together never exceed the budget, in any 60 seconds.
import type { NamedCredentialBody } from '#kernel/components/named-credential/body.ts'

export type Budget = NamedCredentialBody['budget']

/** Instants are milliseconds of the store's clock. */
export interface BudgetLedger {
  slices: readonly BudgetSlice[]
  /** Requests that were sent, or could have been, in the last 60 seconds. */
  sends: readonly SendCount[]
}

export interface BudgetSlice {
  holder: string
  /** Calls at the same time. */
  concurrency: number
  /** Requests that the holder may still send. */
  requests: number
  until: number
}

type SendCount = readonly [at: number, count: number]

export interface SliceClaim {
  holder: string
  /** What the holder wants to have from now on, in place of what it has. */
  concurrency: number
  requests: number
  /** Calls in flight: they cannot be taken away. */
  running: number
  /** Requests that the holder has sent since its last claim. */
  sent: number
  leaseMs: number
}

export interface SliceGrant {
  concurrency: number
  requests: number
  /** Why no call can begin; null if one can. */
  lacks: 'requests' | 'concurrency' | null
  /** Milliseconds until requests become free; 0 unless they are lacking. */
  freeInMs: number
}

export const emptyLedger: BudgetLedger = { slices: [], sends: [] }

const minuteMs = 60_000
/** Requests of one step are counted together, at its end, so that a ledger stays small. */
const stepMs = 60

export function claimSlice(
  ledger: BudgetLedger,
  budget: Budget,
  claim: SliceClaim,
  now: number,
): { ledger: BudgetLedger; grant: SliceGrant } {
  const { slices: others, sends } = settle(ledger, claim.holder, claim.sent, now)
  const usedRequests = sum(others, ({ requests }) => requests) + sum(sends, ([, count]) => count)
  const usedConcurrency = sum(others, (slice) => slice.concurrency)
  const freeRequests = between(0, budget.requestsPerMinute - usedRequests, claim.requests)
  const freeConcurrency = Math.max(
    claim.running,
    between(0, budget.concurrency - usedConcurrency, claim.concurrency),
  )
  const lacks = freeRequests === 0 ? 'requests' : freeConcurrency <= claim.running ? 'concurrency' : null
  // Without a call in flight, one part is of no use without the other, and another holder could use it.
  const isUseless = claim.running === 0 && lacks !== null
  const [concurrency, requests] = isUseless ? [0, 0] : [freeConcurrency, freeRequests]
  const slice = { holder: claim.holder, concurrency, requests, until: now + claim.leaseMs }
  return {
    ledger: { slices: isUseless ? others : [...others, slice], sends },
    grant: {
      concurrency,
      requests,
      lacks,
      freeInMs: lacks === 'requests' ? freeInMs(others, sends, now) : 0,
    },
  }
}

/** The requests that the holder did not send are free again. */
export function returnSlice(ledger: BudgetLedger, holder: string, sent: number, now: number): BudgetLedger {
  return settle(ledger, holder, sent, now)
}

/** Removes the holder's slice, those whose lease has ended, and what was sent more than 60 seconds ago. */
function settle({ slices, sends }: BudgetLedger, holder: string, sent: number, now: number): BudgetLedger {
  const others = slices.filter((slice) => slice.holder !== holder)
  const lapsed = others.filter(({ until }) => until <= now)
  // A holder that crashed could have sent all its requests, the last one at the end of its lease.
  const counts = lapsed.reduce((all, { until, requests }) => add(all, until, requests), sends)
  return {
    slices: others.filter(({ until }) => until > now),
    sends: add(counts, now, sent).filter(([at]) => at > now - minuteMs),
  }
}

function add(sends: readonly SendCount[], time: number, count: number): readonly SendCount[] {
  if (count === 0) return sends
  const at = Math.ceil(time / stepMs) * stepMs
  const index = sends.findIndex(([step]) => step === at)
  return index < 0 ? [...sends, [at, count]] : sends.with(index, [at, sends[index]![1] + count])
}

function freeInMs(others: readonly BudgetSlice[], sends: readonly SendCount[], now: number): number {
  const sentAt = sends.map(([at]) => at)
  const heldUntil = others.filter(({ requests }) => requests > 0).map(({ until }) => until)
  return Math.max(0, Math.min(...[...sentAt, ...heldUntil].map((at) => at + minuteMs)) - now)
}

function sum<T>(items: readonly T[], amountOf: (item: T) => number): number {
  return items.reduce((total, item) => total + amountOf(item), 0)
}

function between(least: number, most: number, wanted: number): number {
  return Math.max(least, Math.min(most, wanted))
}
