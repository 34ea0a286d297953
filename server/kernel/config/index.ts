// Configuration at run time: slices, resolution, explanation, bindings (specification 2.6, 2.7).
export { parseBinding, type Binding } from './binding.ts'
export {
  asOfFrom,
  compiledOver,
  differencesOf,
  evaluateBound,
  replay,
  type Difference,
  type Evaluated,
  type Evaluation,
  type EvaluationInput,
  type EvaluationWorld,
  type Replayed,
  type ReplayRequest,
} from './evaluate-bound.ts'
export { explain, type Explanation, type ExplainStep } from './explain.ts'
export { lazySetSlice, lazyWorld } from './lazy-slice.ts'
export { resolve, resolveFast, setOf, type Question, type Resolution } from './resolve.ts'
export type { ComparedKey, ComparedPoints, KeyMapView, MapRow, Point, PointAnswer } from './points-view.ts'
export { segmentsOf, type Segment } from './segments.ts'
export { packSlice, unpackSlice, type SliceFacts } from './packed-slice.ts'
export { narrowedSets } from './narrowed-sets.ts'
export {
  buildSetSlice,
  generationSlice,
  SINGLETON,
  SliceBuilder,
  updateSetSlice,
  type GenerationSlice,
  type KeyChange,
} from './slice.ts'
export type { KeyRows, SetSlice, SliceField, SliceRow } from './slice-types.ts'
export { typeDeclarations } from './type-declarations.ts'
export { upcomingSteps, type UpcomingChange, type UpcomingDay } from './upcoming.ts'
