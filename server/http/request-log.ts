// Logs one line for each request, with the template of its path: the path contains keys, and a session link its secret.
import type { Log } from './log.ts'
import type { RequestStep } from './request-step.ts'

export function requestLog(log: Log): RequestStep {
  return (request, response) => {
    const started = performance.now()
    response.on('close', () => {
      const { correlationId, route = 'none' } = response.locals as Record<string, unknown>
      const ms = Math.round(performance.now() - started)
      const status = response.statusCode
      log.info({ method: request.method, route, status, ms, correlationId }, 'request')
    })
  }
}
