// The requests of integration clients on the execution trace: how many in each minute, and the first that exceeds a limit.
import type { NewTraceEvent } from '../ports/trace.ts'

export interface ClientTraffic {
  noteRequest(client: string): void
  noteFailure(client: string): void
  noteThrottled(client: string, code: string, correlationId: string): void
  /** The events of the time since the last call. */
  take(until: string): NewTraceEvent[]
}

interface Counts {
  since: string
  requests: number
  throttled: number
  failed: number
}

/** @param note receives what is written at once */
export function createClientTraffic(now: () => string, note: (event: NewTraceEvent) => void): ClientTraffic {
  const clients = new Map<string, Counts>()
  const countsOf = (client: string): Counts => {
    let counts = clients.get(client)
    if (counts === undefined)
      clients.set(client, (counts = { since: now(), requests: 0, throttled: 0, failed: 0 }))
    return counts
  }
  return {
    noteRequest: (client) => void (countsOf(client).requests += 1),
    noteFailure: (client) => void (countsOf(client).failed += 1),
    noteThrottled: (client, code, correlationId) => {
      const counts = countsOf(client)
      counts.throttled += 1
      if (counts.throttled > 1) return
      note({
        ...{ at: now(), kind: 'throttle', correlationId, subject: subjectOf(client), record: null },
        ...{ actor: null, isFailed: true, durationMs: null, facts: { code } },
      })
    },
    take: (until) => {
      const events = [...clients].map(([client, counts]) => eventOf(client, counts, until))
      clients.clear()
      return events
    },
  }
}

const subjectOf = (client: string): string => `integration_client/${client}`

function eventOf(client: string, { since, ...counts }: Counts, until: string): NewTraceEvent {
  return {
    ...{ at: since, kind: 'requests', correlationId: null, subject: subjectOf(client), record: null },
    ...{ actor: null, isFailed: counts.throttled > 0, durationMs: null, facts: { until, ...counts } },
  }
}
