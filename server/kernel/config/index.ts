// Configuration at run time: slices, resolution, explanation, bindings (docs/reference/bindings-and-evidence.md).
export { parseBinding, type Binding } from './binding.ts'
export {
  bindingOf,
  configurationInput,
  type ConfigurationRead,
  parseAsOf,
  compileCached,
  differencesOf,
  evaluateWithBinding,
  replay,
  type BindingDifference,
  type EvaluationResult,
  type Evaluation,
  type EvaluationInput,
  type EvaluationSnapshot,
  type ReplayResult,
  type ReplayRequest,
} from './bound-evaluation.ts'
export { explain, type Explanation, type ExplainStep } from './explain.ts'
export { lazySetSlice, lazySnapshot } from './lazy-slice.ts'
export { resolve, resolveFast, setOf, type ResolutionRequest, type Resolution } from './resolve.ts'
export type {
  KeyComparison,
  PointComparison,
  KeyHistoryView,
  KeyHistoryRow,
  TimePoint,
  PointResolution,
} from './point-comparison.ts'
export { segmentsOf, type Segment } from './segments.ts'
export { packSlice, unpackSlice, type SliceHeader } from './packed-slice.ts'
export { filterSets } from './filtered-sets.ts'
export {
  buildSetSlice,
  bytesInSlice,
  generationSlice,
  SINGLETON_KEY,
  SliceBuilder,
  updateSetSlice,
  type GenerationSlice,
  type KeyChange,
} from './slice.ts'
export type { KeyRows, SetSlice, SliceField, SliceRow } from './slice-types.ts'
export { typeDeclarations } from './type-declarations.ts'
export { upcomingSteps, type UpcomingChange, type UpcomingDay } from './upcoming.ts'
