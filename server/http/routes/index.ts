// All routes, in the order of the document (style 5: order is data).
import type { Route } from '../route.ts'
import { explainedAccess, myAccess, userAccess } from './access.ts'
import { requireApprovals, requiredApprovals } from './approvals.ts'
import { audit, exportedAudit } from './audit.ts'
import { apply, diff, plan, revert, rollback, validate } from './change-lists.ts'
import {
  applyChangeRequest,
  approveChangeRequest,
  changeRequests,
  commentOnChangeRequest,
  createChangeRequest,
  editChangeRequest,
  oneChangeRequest,
  rejectChangeRequest,
  scheduleChangeRequest,
  withdrawChangeRequest,
} from './change-requests.ts'
import { clientSecrets } from './client-secrets.ts'
import { purge } from './purge.ts'
import {
  addUser,
  assignPermissionSets,
  changeUser,
  inviteUser,
  listInvitations,
  people,
  setUserPassword,
  withdrawInvitation,
} from './users.ts'
import { component, componentCounts, componentHistory, components, keyHistory } from './components.ts'
import {
  discardManyDrafts,
  forgetDiscardedDrafts,
  lastDiscardedDrafts,
  restoreDiscardedDrafts,
} from './discarded-drafts.ts'
import { keepDrafts } from './draft-batch.ts'
import { discardDraft, drafts, nameDrafts, saveDraft } from './drafts.ts'
import {
  checkExpression,
  completions,
  evaluateExpression,
  recomputeResult,
  replayResult,
} from './evaluate.ts'
import { entryColumnsOf, entryLabelsOf } from './entry-columns.ts'
import { entryDrafts } from './entry-drafts.ts'
import { generationContents, generationDigests } from './contents.ts'
import { events } from './events.ts'
import { flags } from './flags.ts'
import { generation, generations } from './generations.ts'
import { exportedSet } from './export.ts'
import { exportedRows } from './export-rows.ts'
import { deleteGroup, putGroup } from './groups.ts'
import { health, readiness } from './health.ts'
import { home } from './home.ts'
import { changeRequestImpact, impact } from './impact.ts'
import { importTable, inspectTable, previewImport } from './import.ts'
import { metrics } from './metrics.ts'
import { oauthToken } from './oauth-token.ts'
import { openapiRoute } from './openapi.ts'
import { org } from './org.ts'
import { comparePoints, keyMap } from './points.ts'
import { principals } from './principals.ts'
import { problems } from './problems.ts'
import {
  cancelJob,
  compareWithRemote,
  oneRemoteJob,
  proceedWithJob,
  pushToRemote,
  remoteJobs,
  resumeJob,
  retrieveFromRemote,
  rollBackRemote,
} from './remote-jobs.ts'
import {
  acknowledgeRemote,
  addRemote,
  changeRemote,
  contactRemote,
  driftOfRemote,
  pinRemote,
  remote,
  remoteComparison,
  remoteComparisonIndex,
  remoteGeneration,
  remoteGenerations,
  remotes,
  removeRemote,
  takeFromRemote,
  textsWithRemote,
} from './remotes.ts'
import { rename } from './rename.ts'
import { repair } from './repair.ts'
import { explainWalk, resolve } from './resolve.ts'
import { boundResults } from './bound-results.ts'
import { archiveResult, evidence, oneResult, rebindResult, results } from './results.ts'
import { guide } from './retired-versions.ts'
import { retrieve } from './retrieve.ts'
import { reviewDocument } from './review-document.ts'
import { rooms } from './rooms.ts'
import { search } from './search.ts'
import { session } from './session.ts'
import { acceptInvitation } from './invitations.ts'
import { signInWithPassword, signOut, tokenForPassword } from './sign-in.ts'
import { changePassword, endSignIn, endSignIns, mintToken, signIns, whoAmI } from './sign-ins.ts'
import { types } from './types.ts'
import { whereUsed } from './where-used.ts'
import { keepWorkspace, keptWorkspace } from './workspace.ts'

export const routes: readonly Route[] = [
  components,
  componentCounts,
  search,
  component,
  whereUsed,
  componentHistory,
  keyHistory,
  entryColumnsOf,
  entryLabelsOf,
  entryDrafts,
  generations,
  generation,
  generationDigests,
  generationContents,
  retrieve,
  diff,
  validate,
  plan,
  impact,
  changeRequestImpact,
  reviewDocument,
  apply,
  rollback,
  revert,
  changeRequests,
  createChangeRequest,
  oneChangeRequest,
  editChangeRequest,
  approveChangeRequest,
  rejectChangeRequest,
  withdrawChangeRequest,
  commentOnChangeRequest,
  scheduleChangeRequest,
  applyChangeRequest,
  requiredApprovals,
  requireApprovals,
  rename,
  audit,
  exportedAudit,
  types,
  org,
  home,
  rooms,
  principals,
  flags,
  drafts,
  nameDrafts,
  keepDrafts,
  saveDraft,
  discardDraft,
  lastDiscardedDrafts,
  discardManyDrafts,
  restoreDiscardedDrafts,
  forgetDiscardedDrafts,
  problems,
  repair,
  inspectTable,
  previewImport,
  importTable,
  exportedSet,
  exportedRows,
  resolve,
  evaluateExpression,
  checkExpression,
  completions,
  replayResult,
  recomputeResult,
  explainWalk,
  comparePoints,
  keyMap,
  evidence,
  results,
  boundResults,
  oneResult,
  rebindResult,
  archiveResult,
  keptWorkspace,
  keepWorkspace,
  myAccess,
  explainedAccess,
  clientSecrets,
  people,
  addUser,
  changeUser,
  assignPermissionSets,
  setUserPassword,
  inviteUser,
  listInvitations,
  withdrawInvitation,
  userAccess,
  putGroup,
  deleteGroup,
  purge,
  remotes,
  addRemote,
  remote,
  changeRemote,
  removeRemote,
  contactRemote,
  pinRemote,
  compareWithRemote,
  remoteComparison,
  remoteComparisonIndex,
  textsWithRemote,
  acknowledgeRemote,
  retrieveFromRemote,
  takeFromRemote,
  driftOfRemote,
  remoteGenerations,
  remoteGeneration,
  pushToRemote,
  rollBackRemote,
  remoteJobs,
  oneRemoteJob,
  proceedWithJob,
  resumeJob,
  cancelJob,
  events,
  oauthToken,
  session,
  signInWithPassword,
  acceptInvitation,
  tokenForPassword,
  signOut,
  whoAmI,
  signIns,
  endSignIn,
  endSignIns,
  mintToken,
  changePassword,
  health,
  readiness,
  metrics,
  guide,
  openapiRoute(() => routes),
]
