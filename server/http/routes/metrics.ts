// Metrics for Prometheus; off loopback only for operators.
import { mebibyte } from '../budget.ts'
import { calloutMetrics } from '../callout-metrics.ts'
import { eventMetrics } from '../event-metrics.ts'
import { ingressMetrics } from '../ingress-metrics.ts'
import { createRequestContext } from '../request-context.ts'
import { textReply } from '../reply.ts'
import { definePublicRoute } from '../route.ts'

const guardedRoute = {
  method: 'get',
  path: '/metrics',
  effect: 'reads',
  permission: 'operations.manage',
} as const

export const metrics = definePublicRoute({
  method: 'get',
  path: '/metrics',
  name: 'metrics',
  summary: 'Get metrics in the text format of Prometheus; requires operations.manage except on loopback',
  media: 'text/plain; version=0.0.4',
  errors: [],
  async handle({ services, correlationId, raw }) {
    if (!services.site.loopback) createRequestContext(services, raw.request, guardedRoute, correlationId)
    const { generation, slice } = services.org.pin()
    const families = [
      ...(await calloutMetrics(services)),
      ...ingressMetrics(services),
      ...(await eventMetrics(services)),
    ]
    const gauges = {
      almanac_active_generation: { help: 'The active generation.', value: generation },
      // It is read without authentication, and the exact number would reveal the length of hidden values.
      almanac_slice_bytes: {
        help: 'Bytes of its materialised slices, rounded up to a mebibyte.',
        value: Math.ceil(slice.bytes / mebibyte) * mebibyte,
      },
      almanac_process_resident_memory_bytes: {
        help: 'Bytes of memory of the process.',
        value: process.memoryUsage.rss(),
      },
    }
    return textReply(services.metrics.text(gauges, families), 'text/plain; version=0.0.4; charset=utf-8')
  },
})
