// One-time links with which a user chooses a password; only hashes are stored.

/** An invitation; there is at most one for each user. */
export interface InvitationRow {
  user: string
  /** SHA-256 of the secret in the link. */
  hash: string
  /** The user who created it; null if that is not known. */
  madeBy: string | null
  madeAt: string | null
  /** The user of the operating system who acted as `madeBy`. */
  operator: string | null
  /** Whether it was created on the org's own folder, which needs no permission. */
  fromFolder: boolean
  expiresAt: string
}

export interface InvitationReader {
  get(hash: string): InvitationRow | undefined
  /** Includes expired ones. */
  list(): InvitationRow[]
}

export interface InvitationTransactor extends InvitationReader {
  put(row: InvitationRow): void
  deleteOf(user: string): void
  /** Deletes those that the user created, except from the org's own folder. */
  deleteMadeBy(maker: string): void
}
