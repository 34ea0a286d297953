// Who is asking, as plain data.
import type { ScopePath } from '#kernel/components/scopes.ts'
import type { Through } from '#kernel/session/wire.ts'
import type { By } from '../access/index.ts'

export interface Identity {
  user: string
  /** The client of a client's token. */
  client: string | null
  through: Through
  /** The sign-in of a person, and when it or the token ends at the latest. */
  signIn: string | null
  expiresAt: string | null
  /** The user of the operating system who is behind it: by the one-time link, or who made the token. */
  operator: string | null
}

/** A caller who was admitted, as it crosses to another thread, which derives the rights again. */
export interface SentAsking {
  /** The caller, or the user who is viewed as. */
  user: string
  by: By
  identity: Identity
  scopePath: ScopePath
  /** The generation that was active when the request came. */
  generation: number
}
