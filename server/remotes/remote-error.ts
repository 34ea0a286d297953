// Errors of a remote, in words: which remote, what happened, what to do; the remote's own code is kept.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import type { RemoteProblem } from '#wire/remotes.ts'
import type { OutboundError, OutboundErrorKind } from '../ports/outbound.ts'

export interface RemoteAddress {
  key: string
  name: string
  url: string
}

/** What is kept of a refusal by the remote itself, in `details` of our error. */
export interface RemoteRefusal {
  remote: string
  url: string
  /** HTTP status; null without a response. */
  status: number | null
  /** The code of the remote's own envelope; null if it sent none. */
  code: string | null
  correlationId: string | null
  details: readonly unknown[]
}

const noResponse = { status: null, code: null, correlationId: null, details: [] }

export function remoteError(
  { key, name, url }: RemoteAddress,
  code: ErrorCode,
  words: string,
  facts: Partial<Omit<RemoteRefusal, 'remote' | 'url'>> & { cause?: unknown; retryAfter?: number } = {},
): AlmanacError {
  const { cause, retryAfter, ...refusal } = facts
  return new AlmanacError(code, `${name} (${url}) ${words}`, {
    details: [{ remote: key, url, ...noResponse, ...refusal } satisfies RemoteRefusal],
    origin: originOf(key),
    ...(cause === undefined ? {} : { cause }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  })
}

export function originOf(key: string): string {
  return `remote:${key}`
}

const faults: Readonly<
  Record<OutboundErrorKind, readonly [code: ErrorCode, words: (reason: string) => string]>
> = {
  unreachable: [
    'integration.unreachable',
    (reason) => `cannot be reached: ${reason}. Check the URL, and check that the server there is running.`,
  ],
  address: ['integration.address_refused', (reason) => `cannot be contacted from here: ${reason}.`],
  tls: [
    'integration.tls',
    (reason) =>
      `cannot be trusted: ${reason}. Nothing was sent. If its certificate is from a private authority, start Almanac with NODE_EXTRA_CA_CERTS and the file of that authority.`,
  ],
  timeout: [
    'integration.timeout',
    (reason) => `did not respond in time: ${reason}. Check the server there, and try again.`,
  ],
  lost: [
    'integration.connection_lost',
    (reason) => `lost the connection during the request: ${reason}. Try again.`,
  ],
  too_large: [
    'integration.too_large',
    (reason) => `returned ${reason}, which an Almanac server would not do. Check the URL.`,
  ],
  cancelled: ['integration.connection_lost', () => 'did not finish, because the request was cancelled.'],
}

export function faultError(address: RemoteAddress, error: OutboundError): AlmanacError {
  const [code, words] = faults[error.kind]
  return remoteError(address, code, words(error.message), { cause: error })
}

/** Faults after which the same request can be repeated. */
export function isTransient(error: unknown): boolean {
  return (
    error instanceof AlmanacError &&
    (error.code === 'integration.unreachable' ||
      error.code === 'integration.timeout' ||
      error.code === 'integration.connection_lost')
  )
}

/** The remote's own refusal; null for any other error. */
export function refusalOf(error: unknown): RemoteRefusal | null {
  if (!(error instanceof AlmanacError) || error.origin === undefined) return null
  const [first] = error.details
  return (first as RemoteRefusal | undefined) ?? null
}

/** An error as a job and a contact store it. An unexpected error reveals no internals. */
export function problemOf(error: unknown, key: string): RemoteProblem {
  if (!(error instanceof AlmanacError))
    return {
      code: 'internal.error',
      detail: 'Internal error of this server. The log has the details.',
      origin: 'api.request',
      remoteCode: null,
      retriable: false,
    }
  return {
    code: error.code,
    detail: error.message,
    origin: error.origin ?? (error.kind.class === 'integration' ? originOf(key) : 'api.request'),
    remoteCode: refusalOf(error)?.code ?? null,
    // A job that is resumed looks up the outcome before it sends anything.
    retriable: error.kind.retriable || error.code === 'integration.outcome_unknown',
  }
}
