// Metrics of calls to other systems: their latencies, what was not sent, the circuit breakers and the outbox; and of deliveries
// from other systems.
import { latencyBounds } from '#kernel/trace/index.ts'
import { histogramSeries, type MetricFamily } from './metric-family.ts'
import type { Services } from './services.ts'

const seconds = latencyBounds.map((ms) => ms / 1000)
const breakerStates = ['closed', 'open', 'half_open', 'forced_open'] as const

export async function calloutMetrics({
  tracing,
  outbox,
  deliveries,
  breakers,
  clock,
}: Pick<Services, 'tracing' | 'outbox' | 'deliveries' | 'breakers' | 'clock'>): Promise<MetricFamily[]> {
  const { counts, oldestAt } = await outbox.facts()
  const deliveryCounts = await deliveries.counts()
  const oldestMs = oldestAt === null ? 0 : Math.max(0, Date.parse(clock.now()) - Date.parse(oldestAt))
  return [
    ...attemptFamilies(tracing.calloutCounts),
    {
      ...{ name: 'almanac_callout_breaker_state', type: 'gauge' },
      help: 'Circuit breakers: 1 for the state that each is in.',
      series: (await breakers.list()).flatMap(({ credential, state }) =>
        breakerStates.map((each) => ({
          labels: { credential, state: each },
          value: each === state ? 1 : 0,
        })),
      ),
    },
    {
      ...{ name: 'almanac_outbox_rows', type: 'gauge', help: 'Calls in the outbox, by state.' },
      series: Object.entries(counts).map(([state, value]) => ({ labels: { state }, value })),
    },
    {
      ...{ name: 'almanac_outbox_oldest_seconds', type: 'gauge' },
      help: 'Age of the oldest call that is pending or being sent; 0 without one.',
      series: [{ labels: {}, value: oldestMs / 1000 }],
    },
    {
      ...{ name: 'almanac_webhook_deliveries', type: 'gauge' },
      help: 'Deliveries to webhook endpoints, by state, up to 10,000 each.',
      series: Object.entries(deliveryCounts).map(([state, value]) => ({ labels: { state }, value })),
    },
    {
      ...{ name: 'almanac_trace_lost_total', type: 'counter' },
      help: 'Events of the execution trace that could not be written.',
      series: [{ labels: {}, value: tracing.lost() }],
    },
  ]
}

function attemptFamilies(counts: Services['tracing']['calloutCounts']): MetricFamily[] {
  const all = [...counts.read()].sort(([a], [b]) => (a < b ? -1 : 1))
  return [
    {
      ...{ name: 'almanac_callout_duration_seconds', type: 'histogram' },
      help: 'Duration of attempts of callouts, by named credential and outcome.',
      series: all.flatMap(([credential, { outcomes }]) =>
        Object.entries(outcomes)
          .filter(([, { counts: classes }]) => classes.some((count) => count > 0))
          .flatMap(([outcome, { counts: classes, sumMs }]) =>
            histogramSeries({ credential, outcome }, seconds, { counts: classes, sum: sumMs / 1000 }),
          ),
      ),
    },
    {
      ...{ name: 'almanac_callout_withheld_total', type: 'counter' },
      help: 'Callouts that were not sent, by named credential and the code of the error: an open circuit breaker, a spent budget, a missing grant or secret.',
      series: all.flatMap(([credential, { withheld }]) =>
        [...withheld].sort().map(([code, value]) => ({ labels: { credential, code }, value })),
      ),
    },
  ]
}
