// What every request passes before its route.
import { correlation } from './correlation.ts'
import { headerCheck } from './header-check.ts'
import { requestMetrics } from './metrics.ts'
import { requestLog } from './request-log.ts'
import type { RequestStep } from './request-step.ts'
import { requestSpans } from './request-spans.ts'
import { securityHeaders } from './security-headers.ts'
import type { Services } from './services.ts'
import { hostCheck, originCheck } from './site.ts'

/** In their order. */
export function requestSteps({ ids, log, metrics, site, spans }: Services): RequestStep {
  const steps = [
    correlation(ids),
    requestLog(log),
    requestMetrics(metrics),
    ...(spans === null ? [] : [requestSpans(spans)]),
    securityHeaders(site.scheme === 'https'),
    headerCheck,
    hostCheck(site),
    originCheck(site),
  ]
  return (request, response) => {
    for (const step of steps) step(request, response)
  }
}
