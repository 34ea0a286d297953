// The outbox: calls that saves have left for after their commit.
export { createOutboxWorker, type OutboxWorker, type OutboxWorkerDeps } from './outbox-worker.ts'
export { makeCalloutWith } from './make-callout.ts'
export { createOutbox, type Outbox } from './outbox.ts'
export { createOutboxActions, type OutboxActions } from './outbox-actions.ts'
export { runOutboxPart } from './outbox-job.ts'
export { noteInTransaction } from './handle-rows.ts'
export type { CallTargets } from './stored-callout.ts'
export { outboxWrites, type OutboxChange, type OutboxWrites } from './outbox-writes.ts'
