// The outbox: calls that saves have left for after their commit.
export { createOutboxWorker, type OutboxWorker, type OutboxWorkerDeps } from './outbox-worker.ts'
export { createOutbox, type Outbox } from './outbox.ts'
export { outboxWrites, type OutboxWrites } from './outbox-writes.ts'
