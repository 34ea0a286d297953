// A circuit breaker and its budget as operators see them.
import type { NamedCredentialBody } from '#kernel/components/named-credential/body.ts'
import type { BreakerStatus } from '#wire/operations.ts'
import { answerOf } from './breaker.ts'
import { stateOf } from './breaker-view.ts'
import type { BudgetLedger } from './budget-ledger.ts'

export interface CredentialLimits {
  key: string
  label: string
  body: Pick<NamedCredentialBody, 'circuitBreaker' | 'budget'>
  /** As they are stored; null if they never were. */
  breaker: string | null
  ledger: string | null
  /** Requests that were sent and are not in the ledger yet. */
  unreported: number
}

const minuteMs = 60_000

/** @param now milliseconds since 1970, of the store's clock */
export function breakerStatus(
  { key, label, body, breaker, ledger, unreported }: CredentialLimits,
  now: number,
): BreakerStatus {
  const stored = stateOf(breaker)
  const { last = null } = stored
  const { circuitBreaker, budget } = body
  const instant = (at: number): string => new Date(at).toISOString()
  const answer = answerOf(stored, now)
  const isOpen = stored.state === 'open'
  return {
    ...{ credential: key, label, state: stored.state },
    since: last === null ? null : instant(last.at),
    ...{ cause: last?.cause ?? null, by: last?.actor ?? null, reason: last?.reason || null },
    nextProbeAt: !isOpen ? null : instant(answer.kind === 'refuse' ? answer.until! : now),
    failures: stored.state === 'closed' ? recent(stored.failures, now - circuitBreaker.windowSec * 1000) : 0,
    policy: circuitBreaker,
    budget: { ...budget, sentLastMinute: recent(sendsOf(ledger), now - minuteMs) + unreported },
  }
}

function sendsOf(ledger: string | null): BudgetLedger['sends'] {
  return ledger === null ? [] : (JSON.parse(ledger) as BudgetLedger).sends
}

/** The sum of the counts after a time. */
const recent = (counts: readonly (readonly [at: number, count: number])[], after: number): number =>
  counts.reduce((sum, [at, count]) => (at > after ? sum + count : sum), 0)
