// Gives each response a correlation id; that of the request is kept.
import type { RequestHandler } from 'express'
import type { IdGenerator } from '../ports/clock.ts'

export const correlationHeader = 'X-Correlation-Id'

/** Characters that are safe in a log line and in a header; any other id is replaced, not repaired. */
export const correlationPattern = /^[A-Za-z0-9._:/+=-]{1,128}$/

/** Sets the id on the response and on `response.locals.correlationId`. */
export function correlation(ids: IdGenerator): RequestHandler {
  return (request, response, next) => {
    const given = request.get(correlationHeader)
    const id = given !== undefined && correlationPattern.test(given) ? given : ids.uuid()
    response.locals['correlationId'] = id
    response.setHeader(correlationHeader, id)
    next()
  }
}
