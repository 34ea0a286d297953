// On whose behalf a read happens: the person that is looked through, where it is one (completions 6).
import type { By } from '../../access/index.ts'
import type { Asking } from '../caller.ts'

/** For engines that check rights themselves. Writes are recorded for the actor, who then is the same person. */
export function asAsked({ access, by }: Pick<Asking, 'access' | 'by'>): By {
  return { ...by, actor: access.user }
}
