// Errors between threads: a class cannot be sent.
import { AlmanacError } from './almanac-error.ts'
import type { ErrorCode } from './catalogue.ts'

export interface SerializedError {
  code: ErrorCode | null
  message: string
  details: readonly unknown[]
  retryAfter?: number | undefined
  origin?: string | undefined
}

const maxDetails = 1000

export function serializeError(error: unknown): SerializedError {
  if (error instanceof AlmanacError)
    return {
      code: error.code,
      message: error.message,
      details: error.details.slice(0, maxDetails),
      retryAfter: error.retryAfter,
      origin: error.origin,
    }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { code: null, message, details: [] }
}

export function deserializeError({ code, message, ...options }: SerializedError): Error {
  return code === null ? new Error(message) : new AlmanacError(code, message, options)
}
