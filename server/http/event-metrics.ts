// Metrics of the log of events.
import type { MetricFamily } from './metric-family.ts'
import type { Services } from './services.ts'

/** Each subscription is a series of its own in a monitoring system. */
const mostSubscriptions = 200

export async function eventMetrics({
  records,
  store,
}: Pick<Services, 'records' | 'store'>): Promise<MetricFamily[]> {
  const isUsed = store.read(({ recordFacts }) => recordFacts.anyEvent() || recordFacts.anyWaitingEvent())
  const waiting = isUsed ? (await records.events.waiting()).count : 0
  const lags = isUsed ? await records.events.lags() : []
  return [
    {
      ...{ name: 'almanac_events_waiting', type: 'gauge', help: 'Events that have no number yet.' },
      series: [{ labels: {}, value: waiting }],
    },
    {
      ...{ name: 'almanac_subscription_lag', type: 'gauge' },
      help: 'Events after the cursor of a subscription.',
      series: lags
        .slice(0, mostSubscriptions)
        .map(({ owner, name, channel, lag }) => ({ labels: { owner, name, channel }, value: lag })),
    },
  ]
}
