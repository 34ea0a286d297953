// A row of a virtual object as it was read.
import type { FieldValue } from '#kernel/components/field-types.ts'

export interface RemoteRow {
  /** The text of the external id. */
  id: string
  /** The ETag, to change this row; null if the source has none. */
  version: string | null
  /** Stored forms by field key; formulas are not among them. */
  fields: ReadonlyMap<string, FieldValue>
  /** Why a field could not be read; its value is null. */
  errors: ReadonlyMap<string, string>
}
