// Identity and access of callers: users, tokens, effective access, the checks of an apply (docs/reference/access.md).
import { createSignIns, type SignIns, type SignInsDeps } from './sign-ins.ts'
import { createTokens, type Tokens } from './tokens.ts'
import { createUsers, type Users } from './users.ts'
import { createGroups, type Groups } from './groups.ts'
import { createInvitations, type Invitations } from './invitations.ts'

export { viewerFor, type Viewer } from './viewer.ts'
export { combineViewers } from './combined-viewer.ts'
export { accessDenied, authorise } from './authorise.ts'
export { grantsCalls, grantsChannel } from './grants.ts'
export type { Denial } from '#wire/index.ts'
export { followAssignments, lockoutFindings } from './assignments.ts'
export { accessOfActor, admitActor } from './admitted-actor.ts'
export { requireActorPermission, recordAudit, type Actor, type AuditFact } from './actor.ts'
export { requireAuthorPermission, canAuthor } from './author-permission.ts'
export {
  requirePermission,
  effectiveAccess,
  hasPermission,
  type EffectiveAccess,
} from './effective-access.ts'
export { explainAccess, type ExplainedAccess, type ExplainedRight } from './explain-access.ts'
export { assignedSets, usersWithAllSets } from './assigned-sets.ts'
export { accessReport } from './access-report.ts'
export { directoryOf } from './principal-directory.ts'
export { setChangesOf, requirementsOf, type SetChanges } from './requirements.ts'
export { recordingRootClients, rootClientsOf, type RootClient } from './root-clients.ts'
export { keyThumbprint } from './key-thumbprint.ts'
export { hashSecret } from './secret-hash.ts'
export { PastVisibility, pastReaderOf } from './past-visibility.ts'
export { createResultFilter, type ResultFilter } from './result-visibility.ts'
export { requireScopePath, scopePathOf } from './scope-path.ts'
export { personTokenPrefix, type IssuedSignIn, type ActiveSignIn, type SessionLimits } from './sign-ins.ts'
export type { IssuedToken } from './tokens.ts'
export {
  recordAccess,
  type ObjectRight,
  type RecordAccess,
  type RowAccess,
  type RowAccessReason,
} from './record-access.ts'
export { redactUser, type RedactedUser } from './redacted-user.ts'
export { createPrincipalFeed, createPrincipalFactFeed, type PrincipalFeedEvent } from './principal-feed.ts'
export { openInvitations } from './open-invitations.ts'
export { groupView, peopleView, userView } from './people-view.ts'
export type { IssuedInvitation } from './invitations.ts'
export type { NewUser, UserChange } from './users.ts'
export { requireVisibleValues, visibilityIn, type Visibility } from './visibility.ts'
export { visibleSlice } from './visible-slice.ts'
export { viewWithout, visibleView } from './visible-view.ts'

export interface Access extends Users, Groups, Invitations, Tokens, SignIns {}

/** Users, their sign-ins, and the client tokens of one org. */
export function createAccess(deps: SignInsDeps): Access {
  const users = createUsers(deps)
  return {
    ...users,
    ...createGroups(deps),
    ...createInvitations(deps, users),
    ...createTokens(deps),
    ...createSignIns(deps),
  }
}
export { gainedRightsOf } from './gained-rights.ts'
