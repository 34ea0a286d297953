// What goes wrong with a remote, in words: which remote, what happened, what to do; its own code is kept (completions 5, 7).
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { errorCatalogue, type ErrorCode } from '#kernel/errors/catalogue.ts'
import type { RemoteProblem } from '#kernel/remotes/wire.ts'
import type { OutboundError, OutboundFault } from '../ports/outbound.ts'

export interface RemoteAddress {
  key: string
  name: string
  url: string
}

/** What of a refusal by the remote itself is kept, in `details` of our error. */
export interface RemoteRefusal {
  remote: string
  url: string
  /** HTTP status; null where there was no answer. */
  status: number | null
  /** The code of the remote's own envelope; null where it sent none. */
  code: string | null
  correlationId: string | null
  details: readonly unknown[]
}

const nothing = { status: null, code: null, correlationId: null, details: [] }

export function remoteError(
  { key, name, url }: RemoteAddress,
  code: ErrorCode,
  words: string,
  told: Partial<Omit<RemoteRefusal, 'remote' | 'url'>> & { cause?: unknown; retryAfter?: number } = {},
): AlmanacError {
  const { cause, retryAfter, ...refusal } = told
  return new AlmanacError(code, `${name} (${url}) ${words}`, {
    details: [{ remote: key, url, ...nothing, ...refusal } satisfies RemoteRefusal],
    origin: originOf(key),
    ...(cause === undefined ? {} : { cause }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  })
}

export function originOf(key: string): string {
  return `remote:${key}`
}

const faults: Readonly<Record<OutboundFault, readonly [code: ErrorCode, words: (reason: string) => string]>> =
  {
    unreachable: [
      'integration.unreachable',
      (reason) => `cannot be reached: ${reason}. Check the address, and that the server there runs.`,
    ],
    address: ['integration.address_refused', (reason) => `may not be asked from here: ${reason}.`],
    tls: [
      'integration.tls',
      (reason) =>
        `cannot be trusted: ${reason}. Nothing was sent. Where its certificate is of an authority of your own, start Almanac with NODE_EXTRA_CA_CERTS and that file.`,
    ],
    timeout: [
      'integration.timeout',
      (reason) => `does not answer in time: ${reason}. Look whether the server there is well, and try again.`,
    ],
    lost: ['integration.connection_lost', (reason) => `was lost while it was asked: ${reason}. Try again.`],
    too_large: [
      'integration.too_large',
      (reason) => `answered ${reason}, which no Almanac would here. Check the address.`,
    ],
    cancelled: ['integration.connection_lost', () => 'was asked, and the question was called off.'],
  }

export function faultError(address: RemoteAddress, error: OutboundError): AlmanacError {
  const [code, words] = faults[error.fault]
  return remoteError(address, code, words(error.message), { cause: error })
}

/** Faults after which the same question may be asked again. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof AlmanacError &&
    (error.code === 'integration.unreachable' ||
      error.code === 'integration.timeout' ||
      error.code === 'integration.connection_lost')
  )
}

/** What the remote itself said; null for any other error. */
export function refusalOf(error: unknown): RemoteRefusal | null {
  if (!(error instanceof AlmanacError) || error.origin === undefined) return null
  const [first] = error.details
  return (first as RemoteRefusal | undefined) ?? null
}

/** An error as a job and a contact remember it. The unforeseen shows nothing of the inside. */
export function problemOf(error: unknown, key: string): RemoteProblem {
  if (!(error instanceof AlmanacError))
    return {
      code: 'internal.error',
      detail: 'Something went wrong inside of this server. The log has the details.',
      origin: 'api.request',
      remoteCode: null,
      retriable: false,
    }
  return {
    code: error.code,
    detail: error.message,
    origin: error.origin ?? (error.kind.class === 'integration' ? originOf(key) : 'api.request'),
    remoteCode: refusalOf(error)?.code ?? null,
    retriable: errorCatalogue[error.code].retriable,
  }
}
