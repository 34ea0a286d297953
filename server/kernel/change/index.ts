// Changes: normal form, digests, diff, candidate, validation, plan.
export { type JsonValue } from './canonical.ts'
export {
  buildCandidate,
  candidateSteps,
  renamedView,
  normaliseComponent,
  type Candidate,
  type CandidateComponent,
  type CandidateInput,
  type CandidateOptions,
} from './candidate.ts'
export { afterOf, beforeOf, countChanges, type Change, type ChangeCounts, type ChangeKind } from './change.ts'
export {
  closureOf,
  closureSteps,
  type NeedReason,
  type Closure,
  type ClosureOptions,
  type ClosureView,
  type Need,
} from './closure/index.ts'
export { withCarriedHash } from './carried-hash.ts'
export { componentDigest } from './component-digest.ts'
export { draftedView, type DraftContent } from './drafted-view.ts'
export { saltedDigest, setDigest, setDigestOfText, shortDigest, type Digest } from './digest.ts'
export { OverlayView } from './overlay-view.ts'
export {
  buildPlan,
  plannedChanges,
  redactBudgetFinding,
  type Budget,
  type HiddenPart,
  type Plan,
  type PlannedChange,
  type PlanInput,
} from './plan.ts'
export {
  addPart,
  flipsOf,
  impactReaders,
  laneChanges,
  scopeNamesOf,
  changeSpans,
  affectedKeys,
  type Flip,
  type FlipView,
  type Impact,
  type ImpactReader,
  type LaneChange,
  type ReadersOfType,
  type ResolutionChange,
  type ResultChange,
  type ResultsImpact,
  type Subject,
  type RecordFieldImpact,
  type RecordsImpact,
  type RecordValueChange,
} from './impact/index.ts'
export { nobleSha256, type Sha256 } from './sha256.ts'
export { validateCandidate, validateView, type ValidationContext, type ValidationResult } from './validate.ts'
export { diffValues, isSameContent, type ValueChange } from './value-diff.ts'
export {
  describeChange,
  describeScope,
  setLabel,
  describeValues,
  type ChangeDescription,
} from './change-description.ts'
export { requireRepairChoice, parseRepairChoice, type RepairChoice } from './repair-choice.ts'
export { repairFindings, applyRepairs, type RepairResult } from './repair.ts'
export { RenameIndex } from './rename-index.ts'
export type { InvalidComponent } from './invalid-components.ts'
export { formatBytes } from './format-bytes.ts'
