// Access tokens of clients in storage; only hashes are stored.
export interface TokenRow {
  hash: string
  client: string
  user: string
  expiresAt: string
  /** The user of the operating system who created it on the command line, or whose client secret obtained it. */
  operator: string | null
  /** The thumbprint of the public key whose signature obtained it; null if a secret or the command line did. */
  key: string | null
}

/** An assertion of a client that was accepted, by the hash of its client and id. */
export interface UsedAssertion {
  hash: string
  expiresAt: string
}

export interface TokenReader {
  get(hash: string): TokenRow | undefined
}

export interface TokenTransactor extends TokenReader {
  put(row: TokenRow): void
  deleteExpired(now: string): void
  /**
   * Marks an assertion as used until it expires, and forgets those that have. Returns false if it was used before.
   * @param now ISO 8601 instant
   */
  useAssertion(assertion: UsedAssertion, now: string): boolean
  deleteOf(user: string): void
  /** Moves tokens from old client → new client, all at once; null ends them. */
  move(moves: ReadonlyMap<string, string | null>): void
}
