// The impact of a change list.
export { addPart } from './add-part.ts'
export { flipsOf, scopeNamesOf, type Flip, type FlipKind, type Subject } from './flips.ts'
export type {
  TruncatedList,
  FlipView,
  Impact,
  RecordFieldImpact,
  RecordsImpact,
  RecordValueChange,
  ReadersOfType,
  ResolutionChange,
  ResultChange,
  ResultsImpact,
} from './impact-view.ts'
export { laneChanges, changeSpans, affectedKeys, type LaneChange, type RowValues } from './lane-changes.ts'
export { impactReaders, type ImpactReader } from './readers.ts'
