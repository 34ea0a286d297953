// The requests of integration clients on the execution trace: how many in each minute, and the first that exceeds a limit.
import type { NewTraceEvent } from '../ports/trace.ts'

export interface ClientTraffic {
  noteRequest(client: string): void
  noteFailure(client: string): void
  noteThrottled(client: string, code: string, correlationId: string): void
  /** The events of the time since the last call. */
  take(until: string): NewTraceEvent[]
  /** Of each client, since the start. */
  totals(): ReadonlyMap<string, ClientTotals>
}

export interface ClientTotals {
  requests: number
  throttled: number
  failed: number
}

interface Counts extends ClientTotals {
  since: string
}

/** Further clients are counted together: each is a series of its own in a monitoring system. */
const maxClients = 200
const otherClients = 'other'

/** @param note receives what is written at once */
export function createClientTraffic(now: () => string, note: (event: NewTraceEvent) => void): ClientTraffic {
  const clients = new Map<string, Counts>()
  const totals = new Map<string, ClientTotals>()
  const count = (client: string, what: keyof ClientTotals): Counts => {
    const key = totals.has(client) || totals.size < maxClients ? client : otherClients
    let total = totals.get(key)
    if (total === undefined) totals.set(key, (total = { requests: 0, throttled: 0, failed: 0 }))
    total[what] += 1
    const counts = countsOf(client)
    counts[what] += 1
    return counts
  }
  const countsOf = (client: string): Counts => {
    let counts = clients.get(client)
    if (counts === undefined)
      clients.set(client, (counts = { since: now(), requests: 0, throttled: 0, failed: 0 }))
    return counts
  }
  return {
    noteRequest: (client) => void count(client, 'requests'),
    noteFailure: (client) => void count(client, 'failed'),
    noteThrottled: (client, code, correlationId) => {
      if (count(client, 'throttled').throttled > 1) return
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
    totals: () => totals,
  }
}

const subjectOf = (client: string): string => `integration_client/${client}`

function eventOf(client: string, { since, ...counts }: Counts, until: string): NewTraceEvent {
  return {
    ...{ at: since, kind: 'requests', correlationId: null, subject: subjectOf(client), record: null },
    ...{ actor: null, isFailed: counts.throttled > 0, durationMs: null, facts: { until, ...counts } },
  }
}
