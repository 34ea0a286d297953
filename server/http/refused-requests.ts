// Responds with the error envelope to requests that Node's HTTP parser refuses, which never reach the app.
import { STATUS_CODES, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { IdGenerator } from '../ports/clock.ts'
import { correlationHeader } from './correlation.ts'
import { formatBytes } from './format-bytes.ts'
import type { Log } from './log.ts'
import { problemOf } from './problem.ts'

/** Maximum size of the request line and the headers. */
export const maxHeaderBytes = 16 * 1024

/** Time for a client that is still sending to read the refusal before the connection is closed. */
const lingerMs = 500

interface ParserError extends Error {
  code?: string
  /** Why the parser stopped. */
  reason?: string
}

/** Call before the server listens. */
export function respondToRefusedRequests(server: Server, { ids, log }: { ids: IdGenerator; log: Log }): void {
  const responses = new WeakMap<Duplex, ServerResponse>()
  server.on('request', ({ socket }, response) => {
    responses.set(socket, response)
    // An idle connection would keep the headers of its last request in memory, and with them a token.
    response.once('close', () => {
      if (responses.get(socket) === response) responses.delete(socket)
    })
  })
  // Node would respond without a body; the app refuses it like any other request.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('clientError', (error: ParserError, socket) => {
    const refusal = refusalOf(error, server)
    const response = responses.get(socket)
    // The refusal would become a part of a response that has begun.
    const isResponding = response?.headersSent === true && !response.writableFinished
    if (refusal === null || isResponding || !socket.writable) return void socket.destroy()
    const correlationId = ids.uuid()
    const problem = problemOf(refusal, correlationId)
    log.info({ route: 'none', status: problem.status, code: problem.code, correlationId }, 'request refused')
    socket.end(responseText(problem.status, JSON.stringify(problem), correlationId))
    setTimeout(() => socket.destroy(), lingerMs).unref()
  })
}

/** Null if the client does not speak HTTP, or is gone. */
function refusalOf({ code = '', reason, message }: ParserError, server: Server): AlmanacError | null {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new AlmanacError(
      'limit.slow_request',
      `The request arrived too slowly: its headers must arrive within ${server.headersTimeout / 1000} seconds, and all of it within ${server.requestTimeout / 1000} seconds. Send it again over a faster connection.`,
    )
  if (code === 'HPE_HEADER_OVERFLOW')
    return new AlmanacError(
      'request.too_large',
      `The URL and the headers are larger than ${formatBytes(maxHeaderBytes)}. Shorten them.`,
    )
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return new AlmanacError('request.too_large', 'The extensions of a chunk are too large. Omit them.')
  if (!code.startsWith('HPE_')) return null
  return new AlmanacError('request.malformed', `The request is not valid HTTP: ${reason ?? message}.`)
}

function responseText(status: number, body: string, correlationId: string): string {
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]!}`,
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `${correlationHeader}: ${correlationId}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
}
