// Changes: normal form, digests, diff, candidate, validation, plan (specification 1.1, 2.6, 4.5).
export { type JsonValue } from './canonical.ts'
export {
  buildCandidate,
  candidateSteps,
  renamedView,
  normalised,
  type Candidate,
  type CandidateComponent,
  type CandidateInput,
  type CandidateOptions,
} from './candidate.ts'
export { afterOf, beforeOf, countChanges, type Change, type ChangeCounts, type ChangeKind } from './change.ts'
export {
  closureOf,
  closureSteps,
  type Because,
  type Closure,
  type ClosureOptions,
  type ClosureView,
  type Need,
} from './closure/index.ts'
export { componentDigest } from './component-digest.ts'
export { draftedView, type TypedDraft } from './drafted-view.ts'
export { saltedDigest, setDigest, setDigestOfText, shortDigest, type Digest } from './digest.ts'
export { businessKeyOf, OverlayView } from './overlay-view.ts'
export {
  bytes,
  planOf,
  plannedChanges,
  vagueBudget,
  type Budget,
  type HiddenPart,
  type Plan,
  type PlannedChange,
  type PlanInput,
} from './plan.ts'
export {
  flipsOf,
  impactReaders,
  laneChanges,
  namesOfLanes,
  spansOf,
  touchedKeys,
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
} from './impact/index.ts'
export { nobleSha256, type Sha256 } from './sha256.ts'
export { validateCandidate, validateView, type ValidateContext, type Validated } from './validate.ts'
export { diffValues, sameContent, type ItemKeys, type ValueChange } from './value-diff.ts'
export { changeWords, scopeWords, setLabel, valuesWords, type ChangeWords } from './words.ts'
export { demandOffered, parseRepairChoice, type RepairChoice } from './repair-choice.ts'
export { repairFindings, withRepairs, type Repaired } from './repair.ts'
export { ListRenames } from './list-renames.ts'
export type { Unsound } from './unsound.ts'
