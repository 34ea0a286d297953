// Changes: normal form, digests, diff, candidate, validation, plan (specification 1.1, 2.6, 4.5).
export { type JsonValue } from './canonical.ts'
export {
  buildCandidate,
  normalised,
  type Candidate,
  type CandidateComponent,
  type CandidateInput,
  type CandidateOptions,
} from './candidate.ts'
export { afterOf, beforeOf, type Change, type ChangeCounts, type ChangeKind } from './change.ts'
export { componentDigest } from './component-digest.ts'
export { setDigest, shortDigest, type Digest } from './digest.ts'
export { businessKeyOf, OverlayView } from './overlay-view.ts'
export { planOf, plannedChanges, type Budget, type Plan, type PlannedChange, type PlanInput } from './plan.ts'
export { nobleSha256, type Sha256 } from './sha256.ts'
export { validateCandidate, validateView, type ValidateContext, type Validated } from './validate.ts'
export { diffValues, type ItemKeys, type ValueChange } from './value-diff.ts'
export { changeWords, type ChangeWords } from './words.ts'
export { parseRepairChoice, type RepairChoice } from './repair-choice.ts'
export { repairFindings, withRepairs, type Repaired } from './repair.ts'
export type { Unsound } from './unsound.ts'
