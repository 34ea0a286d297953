// Records: saves in the save order.
export type { RecordDeps, RecordSnapshots } from './deps.ts'
export { createRecordSnapshots } from './record-snapshots.ts'
export type { PhaseName, SaveItem, TraceStep } from './save/save.ts'
export { runSaves, type SaveOutcome, type SaveRequest } from './saves.ts'
