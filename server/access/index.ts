// Who is asking and what they may do: users, tokens, effective access, the checks of an apply (specification 5).
import { tokensOver, type Tokens, type TokensParts } from './tokens.ts'
import { usersOver, type Users } from './users.ts'

export { actorSight, type ActorSight } from './actor-sight.ts'
export { authorise, type Denial } from './authorise.ts'
export { demandOf, note, type By } from './by.ts'
export { demand, effectiveAccess, holds, type EffectiveAccess } from './effective-access.ts'
export { explainAccess, type ExplainedAccess, type ExplainedRight } from './explain-access.ts'
export { directoryOf } from './principal-directory.ts'
export { changeListOf, requirementsOf } from './requirements.ts'
export { scopePathOf } from './scope-path.ts'
export type { IssuedToken } from './tokens.ts'
export type { NewUser, UserChange } from './users.ts'
export { demandValues, visibleSets, type Visibility } from './visibility.ts'
export { visibleSlice } from './visible-slice.ts'
export { visibleView } from './visible-view.ts'

export interface Access extends Users, Tokens {}

/** Users and tokens of one org. */
export function createAccess(parts: TokensParts): Access {
  return { ...usersOver(parts), ...tokensOver(parts) }
}
