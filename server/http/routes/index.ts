// All routes, in the order of the document.
import type { Route } from '../route.ts'
import { accessExplanation, myAccess, userAccess } from './access.ts'
import { getApp, listApps } from './apps.ts'
import { requireApprovals, requiredApprovals } from './approvals.ts'
import { audit, auditExport } from './audit.ts'
import { apply, diff, plan, revert, rollback, validate } from './change-lists.ts'
import {
  applyChangeRequest,
  approveChangeRequest,
  changeRequests,
  commentOnChangeRequest,
  createChangeRequest,
  editChangeRequest,
  getChangeRequest,
  rejectChangeRequest,
  scheduleChangeRequest,
  withdrawChangeRequest,
} from './change-requests.ts'
import {
  abortIngest,
  closeIngest,
  createIngest,
  getIngest,
  getIngestResults,
  getIngestRows,
  listIngests,
  putIngestPart,
} from './ingests.ts'
import { getChannel, listChannels, publishEvents } from './channels.ts'
import { readEvents } from './channel-events.ts'
import { subscribe } from './subscribe.ts'
import {
  ackSubscription,
  countReplay,
  deleteSubscription,
  deleteSubscriptions,
  getSubscription,
  listSubscriptions,
  putSubscription,
} from './subscriptions.ts'
import { clientSecrets, listClientSecrets, revokeClientSecret } from './client-secrets.ts'
import {
  getCredential,
  getVault,
  listCredentials,
  promoteSecrets,
  removeSecrets,
  renewVaultKey,
  stageSecrets,
  unstageSecrets,
} from './credentials.ts'
import { finishConsent, listAccounts, openConsentPage, startConsent, withdrawConsent } from './consents.ts'
import { getEntitySet, getVirtualObject, listEntitySets, previewEntitySet } from './data-sources.ts'
import { closeBreaker, listBreakers, openBreaker, testNamedCredential } from './breakers.ts'
import {
  discardDelivery,
  getDelivery,
  handleDeliveries,
  listDeliveries,
  requeueDelivery,
  testWebhook,
} from './deliveries.ts'
import { handleOutbox } from './outbox-actions.ts'
import { listTrace } from './trace.ts'
import { discardOutboxRow, getOutboxRow, listOutbox, requeueOutboxRow, resolveOutboxRow } from './outbox.ts'
import { purge } from './purge.ts'
import { importService, service, serviceOperation } from './services.ts'
import {
  addUser,
  assignPermissionSets,
  changeUser,
  inviteUser,
  listInvitations,
  people,
  setUserPassword,
  viewAsUser,
  withdrawInvitation,
} from './users.ts'
import { component, componentCounts, componentHistory, components, keyHistory } from './components.ts'
import {
  discardManyDrafts,
  forgetDiscardedDrafts,
  lastDiscardedDrafts,
  restoreDiscardedDrafts,
} from './discarded-drafts.ts'
import { saveDrafts } from './draft-batch.ts'
import { discardDraft, drafts, listDraftNames, saveDraft } from './drafts.ts'
import {
  checkExpression,
  completions,
  evaluateExpression,
  evaluateForRecord,
  recomputeResult,
  replayResult,
} from './evaluate.ts'
import { entryColumnsOf, entryLabelsOf } from './entry-columns.ts'
import { entryDrafts } from './entry-drafts.ts'
import { generationContents, generationDigests } from './contents.ts'
import { events } from './events.ts'
import { flags } from './flags.ts'
import { generation, generations } from './generations.ts'
import { setExport } from './export.ts'
import { rowsExport } from './export-rows.ts'
import { deleteGroup, putGroup } from './groups.ts'
import { health, readiness } from './health.ts'
import { home } from './home.ts'
import { changeRequestImpact, changeRequestRecordsImpact, impact, recordsImpact } from './impact.ts'
import { importTable, inspectTable, previewImport } from './import.ts'
import { metrics } from './metrics.ts'
import { oauthMetadata } from './oauth-metadata.ts'
import { oauthToken } from './oauth-token.ts'
import { evaluateFlag, evaluateFlags } from './ofrep.ts'
import { openapiRoute } from './openapi.ts'
import { org } from './org.ts'
import { comparePoints, keyMap } from './points.ts'
import { principals } from './principals.ts'
import { problems } from './problems.ts'
import {
  cancelJob,
  compareWithRemote,
  getRemoteJob,
  proceedWithJob,
  pushToRemote,
  remoteJobs,
  resumeJob,
  retrieveFromRemote,
  rollBackRemote,
} from './remote-jobs.ts'
import { getClientUses } from './client-uses.ts'
import { listClients } from './clients.ts'
import { eraseRecord } from './erasures.ts'
import { abortRecordJob, getRecordJob, listRecordJobs, startRecordJob } from './record-jobs.ts'
import { invokeOperation } from './invoke.ts'
import { exportArchive, listArchives, removeArchive } from './record-archives.ts'
import {
  batchObjects,
  batchRecords,
  deleteRecord,
  insertRecord,
  recomputeRecord,
  updateRecord,
} from './record-saves.ts'
import {
  describe,
  explainRecordValue,
  recordValueEvidence,
  archiveRecordValue,
  getRecord,
  getRecordHistory,
  listRecordViewers,
  nameRecords,
  objects,
  queryRecords,
  searchRecords,
} from './records.ts'
import {
  acknowledgeRemote,
  addRemote,
  changeRemote,
  contactRemote,
  getRemoteDrift,
  pinRemote,
  remote,
  remoteComparison,
  remoteComparisonIndex,
  remoteGeneration,
  remoteGenerations,
  remotes,
  removeRemote,
  takeFromRemote,
  getRemoteTexts,
} from './remotes.ts'
import { rename } from './rename.ts'
import { repair } from './repair.ts'
import { explainResolution, resolve } from './resolve.ts'
import { boundResults } from './bound-results.ts'
import { archiveResult, evidence, getResult, rebindResult, results } from './results.ts'
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
import { saveWorkspace, getWorkspace } from './workspace.ts'

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
  recordsImpact,
  changeRequestImpact,
  changeRequestRecordsImpact,
  reviewDocument,
  apply,
  rollback,
  revert,
  changeRequests,
  createChangeRequest,
  getChangeRequest,
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
  auditExport,
  types,
  org,
  home,
  rooms,
  principals,
  flags,
  drafts,
  listDraftNames,
  saveDrafts,
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
  setExport,
  rowsExport,
  resolve,
  evaluateExpression,
  evaluateForRecord,
  checkExpression,
  completions,
  replayResult,
  recomputeResult,
  explainResolution,
  comparePoints,
  keyMap,
  evidence,
  results,
  boundResults,
  getResult,
  rebindResult,
  archiveResult,
  getWorkspace,
  saveWorkspace,
  myAccess,
  accessExplanation,
  clientSecrets,
  listEntitySets,
  getEntitySet,
  previewEntitySet,
  getVirtualObject,
  listOutbox,
  listDeliveries,
  getDelivery,
  requeueDelivery,
  discardDelivery,
  handleDeliveries,
  testWebhook,
  handleOutbox,
  getOutboxRow,
  requeueOutboxRow,
  resolveOutboxRow,
  discardOutboxRow,
  listAccounts,
  startConsent,
  withdrawConsent,
  openConsentPage,
  finishConsent,
  listBreakers,
  openBreaker,
  closeBreaker,
  testNamedCredential,
  listTrace,
  service,
  serviceOperation,
  importService,
  listCredentials,
  getCredential,
  stageSecrets,
  unstageSecrets,
  promoteSecrets,
  removeSecrets,
  getVault,
  renewVaultKey,
  listClientSecrets,
  revokeClientSecret,
  people,
  addUser,
  changeUser,
  assignPermissionSets,
  setUserPassword,
  viewAsUser,
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
  getRemoteTexts,
  acknowledgeRemote,
  retrieveFromRemote,
  takeFromRemote,
  getRemoteDrift,
  remoteGenerations,
  remoteGeneration,
  pushToRemote,
  rollBackRemote,
  remoteJobs,
  getRemoteJob,
  proceedWithJob,
  resumeJob,
  cancelJob,
  events,
  oauthToken,
  oauthMetadata,
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
  listApps,
  getApp,
  objects,
  describe,
  evaluateFlag,
  evaluateFlags,
  listClients,
  getClientUses,
  startRecordJob,
  listRecordJobs,
  getRecordJob,
  abortRecordJob,
  listArchives,
  exportArchive,
  removeArchive,
  eraseRecord,
  batchObjects,
  queryRecords,
  searchRecords,
  nameRecords,
  getRecord,
  explainRecordValue,
  recordValueEvidence,
  archiveRecordValue,
  listRecordViewers,
  getRecordHistory,
  listChannels,
  getChannel,
  publishEvents,
  readEvents,
  subscribe,
  listSubscriptions,
  putSubscription,
  getSubscription,
  countReplay,
  ackSubscription,
  deleteSubscription,
  deleteSubscriptions,
  createIngest,
  listIngests,
  getIngest,
  putIngestPart,
  closeIngest,
  abortIngest,
  getIngestResults,
  getIngestRows,
  insertRecord,
  recomputeRecord,
  updateRecord,
  deleteRecord,
  batchRecords,
  invokeOperation,
  openapiRoute(() => routes),
]
