// Metrics for operators, in the text format of Prometheus.
import { familyLines, familyHead as family, type MetricFamily } from './metric-family.ts'
import type { RequestStep } from './request-step.ts'

const applyBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export interface Metrics {
  countRequest(method: string, route: string, status: number): void
  observeApply(ms: number): void
  /** @param gauges current values, by name @param families further ones, each with its series */
  text(
    gauges: Readonly<Record<string, { help: string; value: number }>>,
    families?: readonly MetricFamily[],
  ): string
}

export function createMetrics(): Metrics {
  const requests = new Map<string, number>()
  const applies = { buckets: applyBuckets.map(() => 0), sum: 0, count: 0 }
  return {
    countRequest(method, route, status) {
      const labels = `method="${method}",route="${route}",status="${status}"`
      requests.set(labels, (requests.get(labels) ?? 0) + 1)
    },
    observeApply(ms) {
      applies.count += 1
      applies.sum += ms / 1000
      applyBuckets.forEach((bound, index) => {
        if (ms / 1000 <= bound) applies.buckets[index]! += 1
      })
    },
    text: (gauges, families = []) =>
      [
        ...family('almanac_http_requests_total', 'counter', 'Handled requests, by route and status.'),
        ...[...requests].sort().map(([labels, count]) => `almanac_http_requests_total{${labels}} ${count}`),
        ...family('almanac_apply_duration_seconds', 'histogram', 'Duration of applies.'),
        ...applyBuckets.map(
          (bound, i) => `almanac_apply_duration_seconds_bucket{le="${bound}"} ${applies.buckets[i]}`,
        ),
        `almanac_apply_duration_seconds_bucket{le="+Inf"} ${applies.count}`,
        `almanac_apply_duration_seconds_sum ${applies.sum}`,
        `almanac_apply_duration_seconds_count ${applies.count}`,
        ...Object.entries(gauges).flatMap(([name, { help, value }]) => [
          ...family(name, 'gauge', help),
          `${name} ${value}`,
        ]),
        ...families.flatMap(familyLines),
        '',
      ].join('\n'),
  }
}

/** Counts each response under the template of its path; requests without a route count as `none`. */
export function requestMetrics(metrics: Metrics): RequestStep {
  return (request, response) => {
    response.on('finish', () => {
      metrics.countRequest(request.method, String(response.locals['route'] ?? 'none'), response.statusCode)
    })
  }
}
