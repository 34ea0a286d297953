// A write of run-time state that waits its turn behind a running apply, without holding up readers (specification 2.7.10).
import type { OrgTransactor } from './org-store.ts'

/** One transaction, durable once the promise resolves; rolled back whole where `work` throws. */
export type OrgWrite = <T>(work: (transactor: OrgTransactor) => T) => Promise<T>
