// The impact of a change list (studio: Review, impact).
export { flipsOf, namesOfLanes, type Flip, type FlipKind, type Subject } from './flips.ts'
export type {
  Cut,
  FlipView,
  Impact,
  ReadersOfType,
  ResolutionChange,
  ResultChange,
  ResultsImpact,
} from './impact-view.ts'
export { laneChanges, spansOf, touchedKeys, type LaneChange, type RowValues } from './lane-changes.ts'
export { impactReaders, type ImpactReader } from './readers.ts'
