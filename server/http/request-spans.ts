// A span for each request, under the template of its path: the path itself contains keys.
import type { Spans } from '../ports/spans.ts'
import type { RequestStep } from './request-step.ts'

const serverError = 500

export function requestSpans(spans: Spans): RequestStep {
  return (request, response) => {
    const began = performance.now()
    const correlationId = String(response.locals['correlationId'])
    const id = spans.begin(correlationId)
    response.once('close', () => {
      const { method } = request
      const { route } = response.locals as { route?: string }
      const status = response.statusCode
      const durationMs = performance.now() - began
      spans.note({
        ...{ id, kind: 'server', correlationId, name: route === undefined ? method : `${method} ${route}` },
        ...{ startedAt: performance.timeOrigin + began, durationMs, isFailed: status >= serverError },
        attributes: {
          ...{ 'http.request.method': method, 'http.response.status_code': status },
          'http.route': route ?? null,
        },
      })
    })
  }
}
