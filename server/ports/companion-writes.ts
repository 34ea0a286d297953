// Rows that belong to an apply or to saved drafts and are written in the same transaction. They are data, so that they
// can be sent to a worker.
import type { ComponentId } from '#kernel/components/component.ts'
import type { JsonValue } from '#kernel/change/canonical.ts'
import type { OrgTransactor } from './org-store.ts'

export interface CompanionWrite {
  /** The name of its writer in `CompanionWriters`. */
  writer: string
  data: JsonValue
}

/** Called in the transaction; if it throws, nothing is written. Returns the drafts that it discarded. */
export type CompanionWriter = (transactor: OrgTransactor, data: JsonValue) => readonly ComponentId[]

export type CompanionWriters = Readonly<Record<string, CompanionWriter>>
