// The caller as plain data.
import type { ScopePath } from '#kernel/components/scopes.ts'
import type { SignInMethod } from '#wire/session.ts'
import type { Actor } from '../access/index.ts'

export interface Identity {
  user: string
  /** The client, for a token of a client. */
  client: string | null
  through: SignInMethod
  /** The sign-in of a person, and the latest end of it or of the token. */
  signIn: string | null
  expiresAt: string | null
  /** The user of the operating system who opened the one-time link or created the token. */
  operator: string | null
}

/** An admitted caller, as sent to another thread, which derives the rights again. */
export interface SerializedContext {
  /** The caller, or the user who is viewed as. */
  user: string
  by: Actor
  identity: Identity
  scopePath: ScopePath
  /** The generation that was active when the request arrived. */
  generation: number
}
