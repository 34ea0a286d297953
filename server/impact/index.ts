// The effects of a change list: readers, dates, users, stored results.
export { impactOf, impactOfPrepared, type ImpactRequest } from './impact-of.ts'
export { recordsImpactOf, type RecordsImpactDeps, type RecordsImpactRequest } from './records-impact.ts'
export { MoveMemory } from './moved-children.ts'
