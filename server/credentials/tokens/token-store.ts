// Where tokens are stored: a port, which the vault implements. Everything in a row is a secret.

/** Whose tokens. */
export interface TokenAddress {
  credential: string
  principal: string
  /** Null for a principal that all users share. */
  user: string | null
}

/** A row of the store; JSON. Times are milliseconds since 1970. */
export interface StoredTokens {
  /** Which client at which server the grant is for, as a hash. */
  grant: string
  /** What the access token was requested with, as a hash; includes the version of the secrets. */
  request: string
  accessToken: string | null
  obtainedAt: number
  /** Null if the server does not state it. */
  expiresAt: number | null
  /** Null without a consent, and for schemes without refresh tokens. */
  refreshToken: string | null
  /** The scopes that the consent was requested for. */
  scopes: readonly string[]
  /** After failures: no request until then. */
  pause: TokenPause | null
  /** The process that is requesting a token. */
  claim: { id: string; until: number } | null
}

export interface TokenPause {
  failures: number
  until: number
  kind: 'passing' | 'refused'
  /** For the error; without secrets. */
  reason: string
}

export interface TokenStore {
  get(address: TokenAddress): Promise<{ tokens: StoredTokens; version: string } | undefined>
  /**
   * Stores a row durably, or removes it, if it still has this version (null: if no row exists). Returns the new version,
   * or null if the row has changed.
   */
  put(address: TokenAddress, tokens: StoredTokens | null, expected: string | null): Promise<string | null>
}
