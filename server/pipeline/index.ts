// The pipeline: retrieve, diff, validate, plan, apply, generations, drafts, rollback (specification 1.1, 4.5).
export { fileText, manifestName, manifestText, pathOf, type Manifest } from './directory-layout.ts'
export type { DraftSave, SavedDraft } from './drafts.ts'
export { generationChanges } from './generation-changes.ts'
export { administrator, applyFirstGeneration } from './init.ts'
export { inlineRunner } from './inline-runner.ts'
export { createOrg, type Org } from './org.ts'
export type { AccessChecks, PipelineParts } from './parts.ts'
export { parseDraft } from './parse-draft.ts'
export { placeFindings } from './place-findings.ts'
export { componentText, readDirectory, readManifest } from './read-directory.ts'
export type {
  ApplyOutcome,
  ChangeRequest,
  ChangeRow,
  ChangeSource,
  JobRunner,
  PlanOutcome,
} from './request.ts'
export { scanJson } from './scan-json.ts'
export { stages, type Fault, type Stage } from './stages.ts'
export { told } from './told.ts'
export type { World } from './worlds.ts'
