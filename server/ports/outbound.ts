// Outbound calls to other servers, with limits of time and size, and named faults.

export interface OutboundLimits {
  /** Until the connection is established, including TLS; in milliseconds, like the others. */
  connectMs: number
  /** From the last byte of the request to the response headers, even if they arrive in pieces. */
  responseMs: number
  /** Between two pieces of the response body. */
  chunkMs: number
  /** From the response headers to the last byte, so a slow trickle cannot hold a request open. */
  bodyMs: number
  /** Size of the response body. */
  bytes: number
}

export interface OutboundCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  headers: Readonly<Record<string, string>>
  /** Text, or pieces that are created as they are sent. */
  body?: string | AsyncIterable<Uint8Array>
  limits: OutboundLimits
  signal?: AbortSignal
}

export interface OutboundResponse {
  status: number
  /** Header names in lower case. */
  headers: Readonly<Record<string, string>>
  text: string
}

/**
 * `unreachable`: nothing was sent. `address`: calls to this address are not allowed. `tls`: the certificate is not
 * valid, or the server does not support TLS. `timeout`, `lost`, `too_large`: the server could have received the
 * request.
 */
export type OutboundErrorKind =
  'unreachable' | 'address' | 'tls' | 'timeout' | 'lost' | 'too_large' | 'cancelled'

export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly kind: OutboundErrorKind

  /** @param reason A few words: `ECONNREFUSED`, `certificate has expired`, `no answer within 30 s`. */
  constructor(fault: OutboundErrorKind, reason: string, cause?: unknown) {
    super(reason, { cause })
    this.kind = fault
  }
}

export interface Outbound {
  /** Redirects are returned, never followed. @throws OutboundError */
  send(call: OutboundCall): Promise<OutboundResponse>
  close(): Promise<void>
}
