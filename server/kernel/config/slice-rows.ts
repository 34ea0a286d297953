// Rows of a materialised set (specification 2.7.10).
import type { FieldValue } from '../components/field-types.ts'
import type { Scope } from '../components/scopes.ts'

/** One entry, ready to be found. Undated rows span every day. */
export interface SliceRow {
  /** Key of the entry; for a flag's default, the flag's key. */
  entry: string
  scope: Scope
  /** First day that counts, as a day number; `-Infinity` where undated. */
  from: number
  /** First day that no longer counts; `Infinity` where open-ended. */
  to: number
  priority: number
  values: Readonly<Record<string, FieldValue>>
}

/** Rows of one business key: a sorted lane a scope. */
export interface KeyRows {
  /** The first org day, for `config.not_effective`. */
  firstDay: number
  org: SliceRow[] | null
  environment: Map<string, SliceRow[]> | null
  app: Map<string, SliceRow[]> | null
  /** Viewer-dependent lanes stand apart; they resolve per (generation, user). */
  locale: Map<string, SliceRow[]> | null
  permission_set: Map<string, SliceRow[]> | null
  user: Map<string, SliceRow[]> | null
}
