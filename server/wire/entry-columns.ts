// HTTP types of the rows of a set as columns, for a grid with all of them.
import type { Scope } from '#kernel/components/scopes.ts'

/** Each position is a row. Columns that the set does not have are omitted. */
export interface EntryColumns {
  digest: string
  rows: number
  /** The part of the entry key after "<set>.". */
  slugs: string[]
  /** Distinct business keys, and the index of the key of each row. */
  keys?: string[]
  keyOf?: number[]
  /** Distinct scopes, and the index of the scope of each row. */
  scopes: Scope[]
  scopeOf: number[]
  /** First day of the range, in days since 1970-01-01. */
  from?: number[]
  /** First day after the range; null if open-ended. */
  to?: (number | null)[]
  /** Null if the scope of the row is not a permission set. */
  priority?: (number | null)[]
  values: Record<string, (string | boolean | null)[]>
}

export interface EntryLabels {
  digest: string
  slugs: string[]
  labels: string[]
}
