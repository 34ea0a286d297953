// A write of runtime state that waits for other writers, without blocking readers.
import type { OrgTransactor } from './org-store.ts'

/** One transaction, durable when the promise resolves; rolled back completely if `work` throws. */
export type OrgWrite = <T>(work: (transactor: OrgTransactor) => T) => Promise<T>
