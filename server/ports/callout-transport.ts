// One exchange with a target outside: bytes out, bytes back, within one limit of time. Faults are named, in our words.

export const calloutMethods = ['GET', 'HEAD', 'PUT', 'DELETE', 'POST', 'PATCH'] as const
export type CalloutMethod = (typeof calloutMethods)[number]

/** All texts are PEM. */
export interface TlsIdentity {
  /** The client certificate, followed by its chain. */
  certificate?: string
  key?: string
  passphrase?: string
  /** The authorities to trust, instead of those that the machine trusts. */
  ca?: string
}

export interface TransportRequest {
  method: CalloutMethod
  url: string
  headers: Readonly<Record<string, string>>
  body?: Uint8Array | undefined
  tls?: TlsIdentity | undefined
  /** From connecting to the last byte of the response. */
  timeoutMs: number
  /** Size of the response body, after decompression. */
  maxBytes: number
  signal?: AbortSignal | undefined
  /** Asked just before the first byte is written; if false, the request is not sent. */
  maySend?: (() => boolean) | undefined
}

export interface TransportResponse {
  status: number
  /** Header names in lower case; without those that describe the compression. */
  headers: Readonly<Record<string, string>>
  body: Uint8Array
}

/**
 * `unreachable`: no connection. `address`: calls to this address are not allowed. `tls`: one side does not accept the
 * certificate of the other. `lost`: the connection ended before the response. `unreadable`: the response is not HTTP, or
 * its compression is damaged. `invalid`: the request cannot be sent as it is.
 */
export type CalloutFaultKind =
  | 'unreachable'
  | 'address'
  | 'tls'
  | 'timeout'
  | 'lost'
  | 'too_large'
  | 'unreadable'
  | 'cancelled'
  | 'invalid'

/** Has no `cause`: messages of libraries can contain a URL or a header. */
export class CalloutFault extends Error {
  override readonly name = 'CalloutFault'
  readonly kind: CalloutFaultKind
  /** Whether the target could have received the request. */
  readonly isSent: boolean
  /** The status of the response, if its headers arrived. */
  readonly status: number | null

  /** @param reason A few words without header values, query values or secrets: `no response within 5 s`. */
  constructor(kind: CalloutFaultKind, reason: string, isSent: boolean, status: number | null = null) {
    super(reason)
    this.kind = kind
    this.isSent = isSent
    this.status = status
  }
}

export interface CalloutTransport {
  /** Redirects are returned, never followed. @throws CalloutFault */
  send(request: TransportRequest): Promise<TransportResponse>
  /** Ends all connections, also those in use. */
  close(): Promise<void>
}
