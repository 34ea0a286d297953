// The pipeline: retrieve, diff, validate, plan, apply, generations, drafts, rollback (specification 1.1, 4.5).
export { fileText, manifestName, manifestText, pathOf, type Manifest } from './directory-layout.ts'
export type { DraftSave, SavedDraft } from './drafts.ts'
export { generationChanges } from './generation-changes.ts'
export { administrator, applyFirstGeneration } from './init.ts'
export { inlineRunner } from './inline-runner.ts'
export type { Conflict } from './conflict.ts'
export { createOrg, type Flip, type Org, type RetrievedFile } from './org.ts'
export type { AccessChecks, Denial, PipelineParts, SecretState } from './parts.ts'
export { parseDraft } from './parse-draft.ts'
export { readDirectory, readManifest, type ReadDirectory } from './read-directory.ts'
export type {
  ApplyOutcome,
  ChangeRequest,
  ChangeRow,
  ChangeSource,
  Job,
  JobRunner,
  PlanOutcome,
} from './request.ts'
export { stages, type Fault, type Stage } from './stages.ts'
export { placeOfPointer, type TextPlace } from './text-place.ts'
export type { World } from './worlds.ts'
export type { WrittenDirectory } from './write-directory.ts'
