// How people are known to a served org: sessions of browsers and bearer tokens of persons; only hashes are kept (completions 6).
import type { SignInKind } from '#kernel/session/wire.ts'

export interface SignInRow {
  /** Names it where it is listed and ended; proves nothing. */
  id: string
  /** SHA-256 of the secret that its holder shows. */
  hash: string
  kind: SignInKind
  user: string
  /** What its owner calls it, or the browser that opened it. */
  label: string
  createdAt: string
  usedAt: string
  expiresAt: string
  /** The user of the operating system who is behind it: who opened the one-time link, or made a token as a different user. */
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

export interface SignInReads {
  signIn(hash: string): SignInRow | undefined
  /** Newest first; of everybody where no user is named. */
  signIns(user?: string): SignInRow[]
  /** When each user last signed in, also if that sign-in has ended. */
  lastSignIns(): ReadonlyMap<string, string>
  invitation(hash: string): InvitationRow | undefined
  /** Those that have expired among them. */
  invitations(): InvitationRow[]
}

export interface SignInWrites {
  putSignIn(row: SignInRow): void
  useSignIn(id: string, at: string): void
  deleteSignIn(id: string): void
  /** All but one of a person's, where one is named. */
  deleteSignInsOf(user: string, but?: string): void
  deleteEndedSignIns(now: string): void
  putInvitation(row: InvitationRow): void
  deleteInvitationOf(user: string): void
  /** Those that the user made, but on the org's own folder. */
  deleteInvitationsBy(maker: string): void
}
