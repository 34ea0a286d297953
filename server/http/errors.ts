// Converts errors to responses, for all routes.
import type { ErrorRequestHandler, RequestHandler, Response } from 'express'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Log } from './log.ts'
import type { Readiness } from './readiness.ts'
import { toAlmanacError, problemOf } from './problem.ts'

/** Responds to any error with its envelope. Logs unexpected errors in full, under the correlation id. */
export function errorResponse(log: Log, readiness: Pick<Readiness, 'suspectDamage'>): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const correlationId = String(response.locals['correlationId'] ?? '')
    if (error instanceof AlmanacError && error.code === 'storage.damaged') readiness.suspectDamage()
    if (toAlmanacError(error) === null)
      log.error({ err: error, correlationId, path: request.path }, 'unforeseen error')
    // A part of the response was already sent, so only a broken connection can signal the error.
    if (response.headersSent) return void response.destroy()
    sendProblem(response, error, correlationId)
  }
}

/** Sends the envelope of an error with the headers that its kind requires. */
export function sendProblem(response: Response, error: unknown, correlationId: string): void {
  const problem = problemOf(error, correlationId)
  const retryAfter = error instanceof AlmanacError ? error.retryAfter : undefined
  if (retryAfter !== undefined) response.setHeader('Retry-After', String(Math.ceil(retryAfter)))
  if (problem.status === 401) response.setHeader('WWW-Authenticate', 'Bearer realm="almanac"')
  response.setHeader('Cache-Control', 'no-store')
  response.status(problem.status).type('application/problem+json').send(JSON.stringify(problem))
}

/** Responds to requests that no route handles. */
export const routeNotFound: RequestHandler = (request) => {
  throw new AlmanacError(
    'route.not_found',
    `${request.method} ${request.path} does not exist. /openapi.json lists all routes.`,
  )
}
