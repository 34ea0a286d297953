// The pipeline: retrieve, diff, validate, plan, apply, generations, drafts, rollback (specification 1.1, 4.5).
export { refusal } from './apply.ts'
export { auditFormats, auditMedia, auditText, type AuditFormat } from './audit-export.ts'
export { auditMatches, auditPage, type AuditPage, type AuditSearch } from './audit-search.ts'
export { breather, inPieces, letOthersRun } from './breathe.ts'
export { draftList, takeChanges, type GivenChanges } from './change-source.ts'
export { fileText, manifestName, manifestText, pathOf, type Manifest } from './directory-layout.ts'
export {
  draftCount,
  draftIdsOf,
  draftsMark,
  dropDraft,
  isOwnDraft,
  ownDrafts,
  shownDraft,
  shownDraftBriefs,
  shownDraftBriefsInPieces,
  shownDrafts,
  shownDraftsOf,
  spendDrafts,
} from './draft-access.ts'
export { discardDrafts, forgetDiscarded, lastDiscarded, restoreDiscarded } from './discard-drafts.ts'
export { keepDraftBatch, type BatchedDraft } from './draft-batch.ts'
export { requireKey, type DraftSave, type SavedDraft } from './drafts.ts'
export type { Gate, WaitingList } from './gate.ts'
export {
  componentAuditOf,
  componentHistoryOf,
  componentVersionsOf,
  keyHistoryOf,
  type HistoryPage,
} from './history.ts'
export { administrator, applyFirstGeneration } from './init.ts'
export { inlineRunner } from './inline-runner.ts'
export { PipelineMemory } from './memory.ts'
export { createOrg, type Org } from './org.ts'
export type { WriterTurn } from './turn.ts'
export type { AccessChecks, PipelineParts } from './parts.ts'
export { parseDraft } from './parse-draft.ts'
export { sameWriter } from './draft-writers.ts'
export { writersOf } from './writers.ts'
export { pastChanges } from './past-changes.ts'
export { placeFindings } from './place-findings.ts'
export { purgeBefore } from './purge.ts'
export { prepare, type Prepared } from './prepare.ts'
export { componentText, readDirectory, readManifest } from './read-directory.ts'
export type {
  ApplyOutcome,
  ApplyRequest,
  ChangeRow,
  ChangeSource,
  Beside,
  JobRunner,
  SliceMaker,
  PlanOutcome,
  RevertSource,
  WaitingTerms,
} from './request.ts'
export { rowsOf, type Rows } from './rows.ts'
export { changesTold, toldBudget } from './outcome.ts'
export { isRestoredHidden } from './restored.ts'
export { requestSight } from './request-sight.ts'
export { seesOrg, shownBudget, shownBytes } from './shown-budget.ts'
export { shownGeneration, shownGenerations, type GenerationViewer } from './shown-generation.ts'
export { candidateShown } from './shown-findings.ts'
export { idShown, shownView, sightAt } from './shown.ts'
export { putSliceBudget } from './slice-budget.ts'
export { stages, type Fault, type Stage } from './stages.ts'
export { hiddenWords, told, toldFindings } from './told.ts'
export { worldAt, type World } from './worlds.ts'
