// Follows requests for tokens, for the execution trace.
import type { TokenAddress } from './token-store.ts'
import type { TokenOutcome } from './token-response.ts'

export interface RequestedToken extends TokenAddress {
  /** ISO 8601 instant in UTC. */
  at: string
  durationMs: number
  /** Of the call that needs the token; empty without one. */
  correlationId: string
  result: TokenOutcome['kind']
}

/** Its method returns at once, and throws nothing. */
export interface TokenObserver {
  onRequest(request: RequestedToken): void
}
