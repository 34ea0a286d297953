// The log of events: what numbers, keeps and announces them.
export { createDrainer, type Drainer, type DrainerParts } from './drainer.ts'
export { purgeEvents } from './event-retention.ts'
export { createEventWatch, type EventWatch } from './event-watch.ts'
export { eventWrites, type EventLogWrites } from './event-writes.ts'
