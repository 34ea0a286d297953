// The only error type that engines throw. Each edge (HTTP, command line) translates it once.
import { errorCatalogue, type ErrorCode, type ErrorKind } from './catalogue.ts'
import type { Finding } from './finding.ts'

export interface ErrorOptions {
  /** Items behind the error: findings, referencing items, conflicting components. */
  details?: readonly unknown[]
  /** Seconds after which a retry may succeed. */
  retryAfter?: number | undefined
  /** Where the error arose, if not in this server: `remote:<key>`. */
  origin?: string
  cause?: unknown
}

export class AlmanacError extends Error {
  override readonly name = 'AlmanacError'
  readonly code: ErrorCode
  readonly details: readonly unknown[]
  readonly retryAfter: number | undefined
  readonly origin: string | undefined

  constructor(code: ErrorCode, detail: string, options: ErrorOptions = {}) {
    super(detail, { cause: options.cause })
    this.code = code
    this.details = options.details ?? []
    this.retryAfter = options.retryAfter
    this.origin = options.origin
  }

  get kind(): ErrorKind {
    return errorCatalogue[this.code]
  }
}

/** Creates an error with findings, for a rejected change list. */
export function errorWithFindings(
  code: ErrorCode,
  detail: string,
  findings: readonly Finding[],
): AlmanacError {
  return new AlmanacError(code, detail, { details: findings })
}
