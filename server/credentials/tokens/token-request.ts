// What a token is requested for, and what the engine is given to work with.
import type { TokenCredential, TokenDeps } from './token-call.ts'
import type { TokenObserver } from './token-observer.ts'
import type { TokenStore } from './token-store.ts'

export interface TokenRequest extends TokenCredential {
  principal: string
  /** Null for a principal that all users share. */
  user: string | null
  /** Changes when a secret of the principal is promoted. */
  secretVersion: string
  /** Of the call that needs the token. */
  correlationId?: string | undefined
}

export interface TokensDeps extends TokenDeps {
  store: TokenStore
  wait: (ms: number) => Promise<void>
  observer?: TokenObserver | undefined
}
