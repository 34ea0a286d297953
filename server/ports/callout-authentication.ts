// Who may call a target, and how a request proves it. Asked again for every attempt, so that a lost grant or a rotated
// secret has effect at once.
import type { NamedCredentialBody } from '#kernel/components/named-credential/body.ts'
import type { CalloutMethod, TlsIdentity } from './callout-transport.ts'

/** A named credential of the active generation. */
export interface CalloutCredential {
  key: string
  body: NamedCredentialBody
}

export interface CalloutGrants {
  /**
   * Returns null if the actor may use the principal of the credential now; otherwise the reason, in words.
   *
   * @param actor key of the user for whom the call is made, even if a worker makes it later
   */
  check(credential: CalloutCredential, actor: string): Promise<string | null> | string | null
}

/** A request before it is authenticated. */
export interface UnsignedRequest {
  credential: CalloutCredential
  actor: string
  method: CalloutMethod
  url: string
  headers: Readonly<Record<string, string>>
  body: Uint8Array | undefined
  correlationId: string
  /** The previous attempt, if the target refused its authentication: its token must not be used again. */
  refused: SignedRequest | null
  signal: AbortSignal | undefined
}

export interface SignedRequest {
  /** The URL of the request, with parameters that the scheme adds. Its origin must be the same. */
  url: string
  /** All headers, including those of the request. */
  headers: Readonly<Record<string, string>>
  tls?: TlsIdentity | undefined
  /** Masks the secrets of this attempt in a text. */
  redact(text: string): string
  /** Statuses after which the request is authenticated and sent once more. */
  refreshOn?: readonly number[] | undefined
}

export interface CalloutAuthentication {
  /** @throws AlmanacError if a secret is absent or a token cannot be obtained; then nothing was sent. */
  authenticate(request: UnsignedRequest): Promise<SignedRequest> | SignedRequest
}
