// A page of records, with what is wrong with it.
import type { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { QueryReply } from '#wire/records.ts'

export interface FoundRecords extends Omit<QueryReply, 'warnings'> {
  /** Always of a virtual object; otherwise only if there are any. */
  warnings?: readonly AlmanacError[]
}
