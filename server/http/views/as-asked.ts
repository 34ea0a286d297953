// The actor of a read: the user who is viewed as, if there is one (completions 6).
import type { By } from '../../access/index.ts'
import type { Asking } from '../caller.ts'

/** For engines that check rights themselves. Writes are recorded for the actor, who is then the same user. */
export function asAsked({ access, by }: Pick<Asking, 'access' | 'by'>): By {
  return { ...by, actor: access.user }
}
