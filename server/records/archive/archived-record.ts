// A record with the values to archive and their bundles.
import type { ArchivedReads, FieldId, KeptInputs } from '#kernel/records/index.ts'

export interface ArchivedRecord {
  id: string
  /** The record as its values were proved. */
  version: number
  values: readonly ArchivedValue[]
}

export interface ArchivedValue {
  field: FieldId
  reads: ArchivedReads
  inputs: KeptInputs
  /** The text of the evidence bundle. */
  bundle: string
}
