// Who sends a request.
import type { ScopePath } from '#kernel/components/scopes.ts'
import type { EffectiveAccess } from '../access/index.ts'

/** What identifies a caller: the rights, in the generation and the scopes of a request. */
export interface CallerOf {
  access: EffectiveAccess
  generation: number
  scopePath: ScopePath
  /** The registered client of the request, whose uses of fields are kept. */
  client?: string | null
  /** Of the request, for the calls to sources of virtual objects; a new one if omitted. */
  correlationId?: string
}
