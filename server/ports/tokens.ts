// Access tokens of clients in storage; only hashes are stored.
export interface TokenRow {
  hash: string
  client: string
  user: string
  expiresAt: string
  /** The user of the operating system who created it on the command line, or whose client secret obtained it. */
  operator: string | null
}

export interface TokenReader {
  get(hash: string): TokenRow | undefined
}

export interface TokenTransactor extends TokenReader {
  put(row: TokenRow): void
  deleteExpired(now: string): void
  deleteOf(user: string): void
  /** Moves tokens from old client → new client, all at once; null ends them. */
  move(moves: ReadonlyMap<string, string | null>): void
}
