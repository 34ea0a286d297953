// HTTP types of the current session and sign-ins, shared by server and studio.

/** A browser's session, or a bearer token of a person. */
export type SignInKind = 'session' | 'token'

/**
 * Sign-in with the one-time link of a studio on this machine, a password, a user's token, or as an integration client.
 */
export type SignInMethod = 'link' | 'password' | 'token' | 'client'

/** `GET /setup/v3/session`. */
export interface SessionView {
  user: { key: string; name: string; locale: string | null }
  through: SignInMethod
  /** The client, for a client's token. */
  client: string | null
  /** The id of this sign-in, for ending it; null for clients. */
  signIn: string | null
  /** The latest time at which it ends; null for clients. */
  expiresAt: string | null
  /** System permissions held. */
  permissions: string[]
  /** Whether this user has a password here and can change it. */
  password: boolean
  org: { name: string; environment: string }
}

/** `GET /setup/v3/sign-ins`. */
export interface SignInView {
  id: string
  kind: SignInKind
  user: string
  label: string
  createdAt: string
  usedAt: string
  expiresAt: string
  /** The user of the operating system who is behind it; null for a user who signed in. */
  operator: string | null
  /** Whether it is the caller's sign-in. */
  current: boolean
}

/** `POST /session/password`. */
export interface PasswordSignIn {
  user: string
  password: string
}

export interface OpenedSession {
  user: { key: string; name: string }
  expiresAt: string
}

/** `POST /session/token`, and `POST /setup/v3/tokens` for a signed-in user. The token is shown here and never again. */
export interface MintedToken {
  id: string
  token: string
  user: string
  expiresAt: string
}
