// Refused requests to webhook endpoints on the execution trace: the first ones of each minute with their steps, the others
// counted, so that a flood of them fills no disk.
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import type { VerificationStep } from '#kernel/webhooks/index.ts'
import type { NewTraceEvent } from '../ports/trace.ts'

export interface Refusals {
  note(refusal: Refusal): void
  /** The events of the time since the last call. */
  take(until: string): NewTraceEvent[]
}

export interface Refusal {
  /** Key. */
  endpoint: string
  code: ErrorCode
  correlationId: string
  steps: readonly VerificationStep[]
}

/** Refusals of one endpoint that are noted in full between two counts. */
const mostInFull = 20

interface Counts {
  since: string
  refused: number
}

/** @param note receives what is written at once */
export function createRefusals(now: () => string, note: (event: NewTraceEvent) => void): Refusals {
  const counted = new Map<string, Counts>()
  return {
    note: ({ endpoint, code, correlationId, steps }) => {
      const counts = counted.get(endpoint) ?? { since: now(), refused: 0 }
      counts.refused += 1
      counted.set(endpoint, counts)
      if (counts.refused > mostInFull) return
      note({
        ...{ at: now(), kind: 'refusal', correlationId, subject: subjectOf(endpoint), record: null },
        ...{ actor: null, isFailed: true, durationMs: null, facts: { code, steps: [...steps] } },
      })
    },
    take: (until) => {
      const events = [...counted].map(([endpoint, { since, refused }]): NewTraceEvent => ({
        ...{ at: since, kind: 'refusals', correlationId: null, subject: subjectOf(endpoint), record: null },
        ...{ actor: null, isFailed: true, durationMs: null, facts: { until, refused } },
      }))
      counted.clear()
      return events
    },
  }
}

const subjectOf = (endpoint: string): string => `webhook_endpoint/${endpoint}`
