// Gives each response a correlation id; that of the request is kept.
import type { IdGenerator } from '../ports/clock.ts'
import type { RequestStep } from './request-step.ts'

export const correlationHeader = 'X-Correlation-Id'

/** Characters that are safe in a log line and in a header; any other id is replaced, not repaired. */
export const correlationPattern = /^[A-Za-z0-9._:/+=-]{1,128}$/

/** Sets the id on the response and on `response.locals.correlationId`. */
export function correlation(ids: IdGenerator): RequestStep {
  return (request, response) => {
    const given = request.get(correlationHeader)
    const id = given !== undefined && correlationPattern.test(given) ? given : ids.uuid()
    response.locals['correlationId'] = id
    response.setHeader(correlationHeader, id)
  }
}
