// A request to be authenticated, and what it becomes.

export interface OutgoingRequest {
  method: string
  /** The whole URL, with its query. */
  url: string
  headers: Readonly<Record<string, string>>
  body?: string | Uint8Array
}

/** Options of a TLS connection, as Node names them; all in PEM. */
export interface TlsOptions {
  cert?: string
  key?: string
  passphrase?: string
  /** Authorities to trust, in place of those of the system. */
  ca?: string
}

/**
 * What is sent, exactly: a header that is added afterwards can invalidate a signature. Any part can contain a secret, the
 * URL too: record the URL of the request instead.
 */
export interface AuthenticatedRequest {
  url: string
  /** All headers of the request, names in lower case. */
  headers: Record<string, string>
  /** If omitted, the connection needs no options. */
  tls?: TlsOptions
}

export interface AuthenticationContext {
  /** The credential, for errors. */
  credential: string
  /** ISO 8601 instant. */
  now: string
  /** For the schemes of OAuth. */
  accessToken?: string
}

/** Slot → value, of one principal or user. */
export type Secrets = Readonly<Record<string, string>>
