// HTTP types of what operators watch: circuit breakers, test calls, and actions over many calls in the outbox
// (docs/reference/operations.md).

export type BreakerStateName = 'closed' | 'open' | 'half_open' | 'forced_open'

/** The circuit breaker of a named credential, with the use of its budget. */
export interface BreakerStatus {
  /** Key of the named credential. */
  credential: string
  label: string
  state: BreakerStateName
  /** When it was last changed; null if it never was. */
  since: string | null
  /** Why: `failures`, `probe_failed`, `forced_open` and the like; null if it was never changed. */
  cause: string | null
  /** The user who forced it, and the reason; null if nobody did. */
  by: string | null
  reason: string | null
  /** When the next call probes the target; null unless it is open. */
  nextProbeAt: string | null
  /** Failures within the window, if it is closed. */
  failures: number
  policy: { failureThreshold: number; windowSec: number; openSec: number }
  budget: { concurrency: number; requestsPerMinute: number; sentLastMinute: number }
}

/** What a test call has shown: never a secret, and nothing of the response but its status. */
export interface TestCallView {
  result: 'delivered' | 'failed'
  method: 'GET' | 'HEAD'
  endpoint: string
  status: number | null
  latencyMs: number | null
  problem: { code: string; title: string; detail: string } | null
  correlationId: string
}
