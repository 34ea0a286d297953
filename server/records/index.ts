// Records: saves in the save order, and reads as the caller can see them.
export type { OperationDescription } from './call/operations.ts'
export type { CallCommand, CallReply } from './commands/call-command.ts'
export type { CommandItem } from './commands/command-item.ts'
export type { AccessOf, CommandDeps, SaveCommand } from './commands/save-command.ts'
export type { ItemReply, SaveReply } from './commands/save-reply.ts'
export type { RecordDeps, RecordSnapshots } from './deps.ts'
export type { BoundValue, ConfigurationReads, PresentValue, ValueExplanation } from './read/explain-value.ts'
export type { FieldDescription, ObjectDescription, QueryReply, RecordJson } from '#wire/records.ts'
export { deferredValues, type DeferredValues } from './save/deferred-values.ts'
export { createCursorSeal, type CursorSeal } from './query/cursor-seal.ts'
export type { ProvenValue } from './read/prove-value.ts'
export type { RecordCaller } from './read/record-caller.ts'
export { recomputing } from './read/recomputed-shapes.ts'
export type { Followed, Follows, MovedChildren, RecomputeRequest } from './read/recompute-request.ts'
export { visibleViews } from './read/record-json.ts'
export { nameFieldOf } from './record-indexes.ts'
export { erase } from './erase/record-erasing.ts'
export type { EraseDeps, ObjectHistory } from './erase/erase-deps.ts'
export type { EraseCommand, ErasureCounts } from './erase/erase-record.ts'
export type { ErasureRequest } from './erase/request-erasure.ts'
export type { QueryRequest } from './query/run-query.ts'
export type { JobAudit } from './records.ts'
export type { JobView } from './jobs/job-view.ts'
export type { JobCommand } from './jobs/create-job.ts'
export { createFillRunner } from './jobs/fill-runner.ts'
export { createJobRunner, type JobRunner } from './jobs/job-runner.ts'
export { newJob, withFailures } from './jobs/new-job.ts'
export { recordJobWrites, type RecordJobWrites } from './jobs/record-job-writes.ts'
export type { RunOutboxPart } from './jobs/run-job-step.ts'
export { createRecordFeed } from './record-feed.ts'
export { createRecordSnapshots } from './record-snapshots.ts'
export { createRecords, type CallerOf, type Records, type SavedCommand } from './records.ts'
export type { PhaseName, SaveItem, TraceStep } from './save/save.ts'
export {
  isLarge,
  saveGroup,
  type CommandOutcome,
  type RecordCommand,
  type RecordReply,
  type ReplyTo,
} from './save-group.ts'
export { runSaves, type SaveOutcome, type SaveRequest } from './saves.ts'
