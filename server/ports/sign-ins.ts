// Sign-ins to a served org: browser sessions and bearer tokens of users; only hashes are stored.
import type { SignInKind } from '#wire/session.ts'

export interface SignInRow {
  /** Identifies it in the list and for ending it; it is not a credential. */
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
  /** The user of the operating system who opened the one-time link, or created a token as another user. */
  operator: string | null
  /** The start of the server that a session of the one-time link belongs to; null for all others. */
  serverStart: string | null
}

export interface SignInReader {
  get(hash: string): SignInRow | undefined
  /** Newest first; of all users if `user` is omitted. */
  list(user?: string): SignInRow[]
  /** When each user last signed in, even if that sign-in has ended. */
  lastTimes(): ReadonlyMap<string, string>
}

export interface SignInTransactor extends SignInReader {
  put(row: SignInRow): void
  recordUse(id: string, at: string): void
  delete(id: string): void
  /** Deletes all of a user's, except `but` if set. */
  deleteOf(user: string, but?: string): void
  deleteExpired(now: string): void
}
