// Sign-ins to a served org: browser sessions and bearer tokens of users; only hashes are stored.
import type { SignInKind } from '#wire/session.ts'

export interface SignInRow {
  /** Identifies it in the list and for ending it; it is not a proof. */
  id: string
  /** SHA-256 of the secret that its holder presents. */
  hash: string
  kind: SignInKind
  user: string
  /** The owner's name for it, or the browser that opened it. */
  label: string
  createdAt: string
  usedAt: string
  expiresAt: string
  /** The user of the operating system who opened the one-time link, or made a token as a different user. */
  operator: string | null
  /** The start of the server that a session of the one-time link belongs to; null for all others. */
  serverStart: string | null
}

/** A one-time link with which a user chooses a password. At most one for each user. */
export interface InvitationRow {
  user: string
  /** SHA-256 of the secret in the link. */
  hash: string
  /** The user who made it; null if that is not known. */
  madeBy: string | null
  madeAt: string | null
  /** The user of the operating system who acted as `madeBy`. */
  operator: string | null
  /** Whether it was made on the org's own folder, which needs no permission. */
  fromFolder: boolean
  expiresAt: string
}

export interface SignInReader {
  signIn(hash: string): SignInRow | undefined
  /** Newest first; of all users if `user` is omitted. */
  signIns(user?: string): SignInRow[]
  /** When each user last signed in, even if that sign-in has ended. */
  lastSignIns(): ReadonlyMap<string, string>
  invitation(hash: string): InvitationRow | undefined
  /** Includes expired ones. */
  invitations(): InvitationRow[]
}

export interface SignInTransactor {
  putSignIn(row: SignInRow): void
  recordSignInUse(id: string, at: string): void
  deleteSignIn(id: string): void
  /** Deletes all of a user's, except `but` if set. */
  deleteSignInsOf(user: string, but?: string): void
  deleteExpiredSignIns(now: string): void
  putInvitation(row: InvitationRow): void
  deleteInvitationOf(user: string): void
  /** Deletes those that the user made, except from the org's own folder. */
  deleteInvitationsMadeBy(maker: string): void
}
