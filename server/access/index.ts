// Identity and access of callers: users, tokens, effective access, the checks of an apply (specification 5).
import { signInsOver, type SignIns, type SignInsParts } from './sign-ins.ts'
import { tokensOver, type Tokens } from './tokens.ts'
import { usersOver, type Users } from './users.ts'
import { groupsOver, type Groups } from './groups.ts'
import { invitationsOver, type Invitations } from './invitations.ts'

export { actorSight, type ActorSight } from './actor-sight.ts'
export { combinedSight } from './combined-sight.ts'
export { accessDenied, authorise } from './authorise.ts'
export type { Denial } from '#kernel/wire/index.ts'
export { followAssignments, lockoutFindings } from './assignments.ts'
export { demandOf, note, type By } from './by.ts'
export { demandAuthor, mayAuthor } from './demand-author.ts'
export { demand, effectiveAccess, holds, type EffectiveAccess } from './effective-access.ts'
export { explainAccess, type ExplainedAccess, type ExplainedRight } from './explain-access.ts'
export { assignedSets, usersWithAllSets } from './assigned-sets.ts'
export { accessReport } from './access-report.ts'
export { directoryOf } from './principal-directory.ts'
export { changeListOf, requirementsOf } from './requirements.ts'
export { hashOfSecret } from './secret-hash.ts'
export { PastVisibility, pastReadsOf } from './past-visibility.ts'
export { demandScopePath, scopePathOf } from './scope-path.ts'
export { personTokenPrefix, type MadeSignIn, type Person, type SessionLimits } from './sign-ins.ts'
export type { IssuedToken } from './tokens.ts'
export { shownUser, type ShownUser } from './shown-user.ts'
export { peopleNewsOf, principalFactsOf, type PeopleNews } from './people-news.ts'
export { openInvitations } from './open-invitations.ts'
export { groupView, peopleView, userView } from './people-view.ts'
export type { MadeInvitation } from './invitations.ts'
export type { NewUser, UserChange } from './users.ts'
export { demandValues, visibleSets, type Visibility } from './visibility.ts'
export { visibleSlice } from './visible-slice.ts'
export { viewWithout, visibleView } from './visible-view.ts'

export interface Access extends Users, Groups, Invitations, Tokens, SignIns {}

/** Users, their sign-ins, and the client tokens of one org. */
export function createAccess(parts: SignInsParts): Access {
  const users = usersOver(parts)
  return {
    ...users,
    ...groupsOver(parts),
    ...invitationsOver(parts, users),
    ...tokensOver(parts),
    ...signInsOver(parts),
  }
}
export { rightsGained } from './rights-gained.ts'
