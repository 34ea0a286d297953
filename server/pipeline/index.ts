// The pipeline: retrieve, diff, validate, plan, apply, generations, drafts, rollback.
export { deployError } from './stages/index.ts'
export { auditFormats, auditMedia, auditText, type AuditFormat } from './audit-export.ts'
export { auditMatches, auditPage, type AuditPage, type AuditSearch } from './audit-search.ts'
export { createYielder, runInChunks, yieldToEventLoop } from './event-loop.ts'
export { draftList, loadChanges, type ConsumedDraft, type LoadedChanges } from './change-source.ts'
export { carriedDescription } from './carried-description.ts'
export {
  descriptionFileText,
  descriptionPathOf,
  describedService,
  fileText,
  manifestName,
  manifestText,
  pathOf,
  type Manifest,
} from './directory-layout.ts'
export { listedServices, type ListedService, type ListedServices } from './listed-services.ts'
export {
  draftCount,
  draftIdsOf,
  draftsMark,
  dropDraft,
  isOwnDraft,
  longestDraftOf,
  ownDrafts,
  visibleDraft,
  visibleDraftBriefs,
  visibleDraftBriefsInChunks,
  visibleDrafts,
  visibleDraftsByIds,
  consumeDrafts,
} from './draft-access.ts'
export { lastDiscardedBatch } from './discard-drafts.ts'
export type { DraftBatchItem } from './draft-batch.ts'
export type { DraftChange } from './draft-operations.ts'
export type { DraftSave, SavedDraft } from './drafts.ts'
export type { ApprovalPolicy, PendingChangeList } from './approval-policy.ts'
export {
  componentAuditOf,
  componentHistoryOf,
  componentVersionsOf,
  keyHistoryOf,
  type HistoryPage,
} from './history.ts'
export { administrator, applyFirstGeneration } from './init.ts'
export { inlineRunner } from './inline-runner.ts'
export { PipelineCache } from './pipeline-cache.ts'
export { createOrg, type Org } from './org.ts'
export { WriteQueue, type WriteRunner } from './write-queue.ts'
export type { AccessChecks, PipelineDeps } from './deps.ts'
export { parseDraft } from './parse-draft.ts'
export {
  isLargeServiceDraft,
  largeServiceDraft,
  readLargeServiceDraft,
  type DraftReading,
} from './large-service-draft.ts'
export { isSameWriter } from './draft-writers.ts'
export { writersOf } from './writers.ts'
export { pastChanges } from './past-changes.ts'
export { changeViews } from './change-views.ts'
export { appliedView, planView, type LazyAppliedView, type LazyPlanView } from './plan-view.ts'
export { entryKeysOf, firstAtLeast, shownEntryKeys } from './entry-keys.ts'
export { entryCountOf, requireComponent, usagesOf, whereUsedView } from './where-used.ts'
export { locateFindings } from './locate-findings.ts'
export { purgeBefore } from './purge.ts'
export { outcomeOf } from './outcome.ts'
export { prepareChanges, type PreparedChanges } from './prepare.ts'
export { componentText, readDirectory, readManifest, readServiceFiles } from './read-directory.ts'
export type {
  ApplyOutcome,
  ApplyRequest,
  ChangeRow,
  ChangeSource,
  JobRunner,
  SliceLoader,
  PlanOutcome,
  RevertSource,
  ServiceImports,
  ChangeRequestTerms,
} from './request.ts'
export type { LazyList } from './lazy-list.ts'
export { changesForAudience, budgetForAudience } from './outcome.ts'
export { isRestoredHidden } from './restored-identity.ts'
export { requestViewer } from './request-viewer.ts'
export { canSeeWholeOrg, redactBudget, redactBytes } from './budget-redaction.ts'
export { redactGeneration, redactGenerations, type GenerationViewer } from './generation-redaction.ts'
export { visibleCandidate } from './viewer-findings.ts'
export { isIdVisible, narrowView, viewerAt } from './id-visibility.ts'
export { putSliceBudget } from './slice-budget.ts'
export { applyStages, faultPoints, type FaultHook, type FaultPoint } from './stages/index.ts'
export { hiddenLabel, redactChange, redactFindings } from './change-redaction.ts'
export { snapshotAt, type Snapshot } from './snapshot-cache.ts'
