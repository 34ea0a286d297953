// The actor of a read: the user who is viewed as, if there is one.
import type { Actor } from '../../access/index.ts'
import type { RequestContext } from '../request-context.ts'

/** For engines that check rights themselves. Writes are recorded for the actor, who is then the same user. */
export function viewingActor({ access, by }: Pick<RequestContext, 'access' | 'by'>): Actor {
  return { ...by, actor: access.user }
}
