// Metrics of what comes in and goes to a collector: clients, bulk jobs, exported spans.
import type { MetricFamily } from './metric-family.ts'
import type { Services } from './services.ts'

const unfinished = ['open', 'queued', 'processing']

export function ingressMetrics({
  tracing,
  ingestRunner,
  store,
}: Pick<Services, 'tracing' | 'ingestRunner' | 'store'>): MetricFamily[] {
  const jobs = store.read((reader) => reader.recordFacts.unfinishedIngests())
  const rows = ingestRunner?.counts.read() ?? { saved: 0, failed: 0 }
  return [
    ...clientFamilies(tracing.clientTraffic),
    {
      ...{ name: 'almanac_bulk_jobs', type: 'gauge' },
      help: 'Bulk jobs that have not ended, by state.',
      series: unfinished.map((state) => ({ labels: { state }, value: jobs.get(state) ?? 0 })),
    },
    {
      ...{ name: 'almanac_bulk_rows_total', type: 'counter' },
      help: 'Rows of bulk jobs that were processed, by outcome.',
      series: Object.entries(rows).map(([outcome, value]) => ({ labels: { outcome }, value })),
    },
    ...otlpFamilies(tracing.otlp),
  ]
}

function clientFamilies(traffic: Services['tracing']['clientTraffic']): MetricFamily[] {
  const all = [...traffic.totals()].sort(([a], [b]) => (a < b ? -1 : 1))
  const family = (name: string, help: string, what: 'requests' | 'throttled' | 'failed'): MetricFamily => ({
    ...{ name, type: 'counter', help },
    series: all.map(([client, totals]) => ({ labels: { client }, value: totals[what] })),
  })
  return [
    family('almanac_client_requests_total', 'Requests of integration clients.', 'requests'),
    family('almanac_client_throttled_total', 'Requests of clients above their limits.', 'throttled'),
    family('almanac_client_failed_total', 'Other requests of clients that failed.', 'failed'),
  ]
}

function otlpFamilies(counts: Services['tracing']['otlp']): MetricFamily[] {
  if (counts === null) return []
  const { queued, exported, dropped, rejected, failures } = counts.read()
  return [
    {
      ...{ name: 'almanac_otlp_queue', type: 'gauge', help: 'Spans that wait to be exported.' },
      series: [{ labels: {}, value: queued }],
    },
    {
      ...{ name: 'almanac_otlp_spans_total', type: 'counter' },
      help: 'Spans by what became of them: exported, dropped because the queue was full or they could not be sent, rejected by the collector.',
      series: Object.entries({ exported, dropped, rejected }).map(([outcome, value]) => ({
        labels: { outcome },
        value,
      })),
    },
    {
      ...{ name: 'almanac_otlp_failures_total', type: 'counter', help: 'Exports that failed.' },
      series: [{ labels: {}, value: failures }],
    },
  ]
}
