// What leaves this machine towards another server: one call, with limits of time and size, and its faults by name.

export interface OutboundLimits {
  /** Until the connection stands, TLS included; milliseconds like the others. */
  connectMs: number
  /** From the request's last byte to the answer's head; a head that comes in pieces has no longer. */
  answerMs: number
  /** Between two pieces of the answer's body. */
  pieceMs: number
  /** From the answer's head to its last byte, so that a byte a second does not hold a request. */
  bodyMs: number
  /** Of the answer's body. */
  bytes: number
}

export interface OutboundCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  headers: Readonly<Record<string, string>>
  /** Text, or pieces that are made as they are sent. */
  body?: string | AsyncIterable<Uint8Array>
  limits: OutboundLimits
  signal?: AbortSignal
}

export interface OutboundAnswer {
  status: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  text: string
}

/**
 * `unreachable`: nothing was sent. `address`: it may not be asked from here. `tls`: it is not who it says, or speaks no
 * TLS. `timeout`, `lost`, `too_large`: it may have heard us.
 */
export type OutboundFault = 'unreachable' | 'address' | 'tls' | 'timeout' | 'lost' | 'too_large' | 'cancelled'

export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly fault: OutboundFault

  /** @param reason a few words: `ECONNREFUSED`, `certificate has expired`, `no answer within 30 s` */
  constructor(fault: OutboundFault, reason: string, cause?: unknown) {
    super(reason, { cause })
    this.fault = fault
  }
}

export interface Outbound {
  /** Redirects are answered, never followed. @throws OutboundError */
  send(call: OutboundCall): Promise<OutboundAnswer>
  close(): Promise<void>
}
