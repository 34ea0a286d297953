// The outbox: calls that saves have left for after their commit.
export {
  createOutboxWorker,
  type OutboxWorker,
  type OutboxWorkerDeps,
  type Delivery,
} from './outbox-worker.ts'
export { outboxWrites, type OutboxWrites } from './outbox-writes.ts'
