// The one place where an error becomes a response (style 3; completions 5).
import type { ErrorRequestHandler, RequestHandler, Response } from 'express'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Log } from './log.ts'
import type { Readiness } from './readiness.ts'
import { knownError, problemOf } from './problem.ts'

/** Answers any error with its envelope. The unforeseen is logged whole, under its correlation id. */
export function errorResponse(log: Log, readiness: Pick<Readiness, 'suspectDamage'>): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const correlationId = String(response.locals['correlationId'] ?? '')
    if (error instanceof AlmanacError && error.code === 'storage.damaged') readiness.suspectDamage()
    if (knownError(error) === null)
      log.error({ err: error, correlationId, path: request.path }, 'unforeseen error')
    // Half of a stream is out: the only honest sign left is to break the connection.
    if (response.headersSent) return void response.destroy()
    sendProblem(response, error, correlationId)
  }
}

/** Sends the envelope of an error with the headers that its kind asks for. */
export function sendProblem(response: Response, error: unknown, correlationId: string): void {
  const problem = problemOf(error, correlationId)
  const retryAfter = error instanceof AlmanacError ? error.retryAfter : undefined
  if (retryAfter !== undefined) response.setHeader('Retry-After', String(Math.ceil(retryAfter)))
  if (problem.status === 401) response.setHeader('WWW-Authenticate', 'Bearer realm="almanac"')
  response.setHeader('Cache-Control', 'no-store')
  response.status(problem.status).type('application/problem+json').send(JSON.stringify(problem))
}

/** What no route took. */
export const nothingHere: RequestHandler = (request) => {
  throw new AlmanacError(
    'route.not_found',
    `Nothing is served at ${request.method} ${request.path}. The addresses are listed in /openapi.json.`,
  )
}
