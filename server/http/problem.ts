// Converts errors to the error envelope, application/problem+json (RFC 9457).
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { errorCatalogue, type ErrorClass, type ErrorCode } from '#kernel/errors/catalogue.ts'
import { truncateMessage } from '#kernel/errors/truncate-input.ts'

export interface Problem {
  /** URN of the kind of problem; contains the code. */
  type: string
  title: string
  status: number
  detail: string
  class: ErrorClass
  code: ErrorCode
  correlationId: string
  retriable: boolean
  /** Where it occurred: `api.request` for the inbound request, `remote:<key>` for a called remote. */
  origin: string
  details: readonly unknown[]
}

const internalErrorDetail =
  'Internal error. Nothing was changed. The log has the details under the correlation id.'

/** Returns the envelope of any error. Unexpected errors reveal no internal details. */
export function problemOf(error: unknown, correlationId: string): Problem {
  const almanacError = toAlmanacError(error)
  const { code, details } = almanacError ?? { code: 'internal.error' as const, details: [] }
  const { title, status, retriable, class: errorClass } = errorCatalogue[code]
  return {
    type: `urn:almanac:problem:${code}`,
    title,
    status,
    detail: truncateMessage(almanacError?.message ?? internalErrorDetail),
    class: errorClass,
    code,
    correlationId,
    retriable,
    origin: almanacError?.origin ?? 'api.request',
    details,
  }
}

/** Returns the AlmanacError, even for errors of libraries of the HTTP edge; null for unexpected errors. */
export function toAlmanacError(error: unknown): AlmanacError | null {
  if (error instanceof AlmanacError) return error
  if (!(error instanceof Error)) return null
  const { type, status, message, limit } = error as Error & {
    type?: string
    status?: number
    limit?: number
  }
  switch (type) {
    case 'entity.parse.failed':
      return new AlmanacError(
        'request.malformed',
        `The body is not valid JSON: ${message}. Fix the JSON at that position.`,
      )
    case 'entity.too.large':
      return new AlmanacError(
        'request.too_large',
        `The body is larger than the ${megabytes(limit)} allowed here.`,
      )
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new AlmanacError('request.media_type', `The body cannot be read: ${message}. Send UTF-8 JSON.`)
    case 'request.aborted':
    case 'request.size.invalid':
      return new AlmanacError('request.malformed', 'The body ended before its declared length.')
  }
  // Errors of the router, such as a path with a broken percent escape.
  return status !== undefined && status >= 400 && status < 500
    ? new AlmanacError('request.malformed', `The request cannot be read: ${message}.`)
    : null
}

function megabytes(limit = 0): string {
  return limit >= 1024 * 1024 ? `${Math.floor(limit / 1024 / 1024)} MiB` : `${limit} bytes`
}
