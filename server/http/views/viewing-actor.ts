// The actor of a read: the user who is viewed as, if there is one.
import { admitActor, type Actor } from '../../access/index.ts'
import type { RequestContext } from '../request-context.ts'

/** For engines that check rights themselves. Writes are recorded for the actor, who is then the same user. */
export function viewingActor({
  access,
  by,
  snapshot,
}: Pick<RequestContext, 'access' | 'by' | 'snapshot'>): Actor {
  return admitActor(by, access, snapshot.view)
}
