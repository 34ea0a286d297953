// Converts errors to responses, for all routes.
import type { ErrorRequestHandler, RequestHandler, Response } from 'express'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { hasLongText, jsonRecord } from './json-text.ts'
import type { Log } from './log.ts'
import type { Readiness } from './readiness.ts'
import { toAlmanacError, problemOf, type Problem } from './problem.ts'
import { writePieces } from './write-pieces.ts'

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
  response.status(problem.status).type('application/problem+json')
  if (!problem.details.some(hasLongDetail)) return void response.send(JSON.stringify(problem))
  // The client has left if it fails.
  writePieces(response, problemPieces(problem)).catch(() => response.destroy())
}

function hasLongDetail(detail: unknown): detail is object {
  return typeof detail === 'object' && detail !== null && hasLongText(detail)
}

/** `details` is the last property. A draft of several megabytes can be one of them. */
function* problemPieces({ details, ...head }: Problem): Iterable<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"details":`
  for (const [at, detail] of details.entries()) {
    yield at === 0 ? '[' : ','
    if (hasLongDetail(detail)) yield* jsonRecord(detail)
    else yield JSON.stringify(detail)
  }
  yield ']}'
}

/** Responds to requests that no route handles. */
export const routeNotFound: RequestHandler = (request) => {
  throw new AlmanacError(
    'route.not_found',
    `${request.method} ${request.path} does not exist. /openapi.json lists all routes.`,
  )
}
