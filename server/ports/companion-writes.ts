// Rows that belong to an apply or to saved drafts and are written in the same transaction. They are data, so that they
// can be sent to a worker.
import type { JsonValue } from '#kernel/change/canonical.ts'
import type { OrgTransactor } from './org-store.ts'

export interface CompanionWrite {
  /** The name of its writer in `CompanionWriters`. */
  writer: string
  data: JsonValue
}

/** Called in the transaction, after everything else is written. If it throws, nothing is written. */
export type CompanionWriter = (transactor: OrgTransactor, data: JsonValue) => void

export type CompanionWriters = Readonly<Record<string, CompanionWriter>>
