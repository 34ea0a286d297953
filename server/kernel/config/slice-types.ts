// What is materialised of a set for reading: rows by key, stage of the chain and day (specification 2.7.10).
import type { ConfigFieldType } from '../components/field-types.ts'
import type { Scope, ScopeKind } from '../components/scopes.ts'
import type { FieldValue } from '../components/field-types.ts'
import type { KeyMap } from './key-map.ts'
import type { Digest } from '../change/digest.ts'

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

export interface SliceField {
  key: string
  type: ConfigFieldType
  scale: number | null
}

/** One set or flag at one generation. `lanes` is opaque: only `resolve.ts` and `slice.ts` read it. */
export interface SetSlice {
  set: string
  kind: 'config_set' | 'feature_flag'
  digest: Digest
  chain: readonly ScopeKind[]
  keyType: ConfigFieldType | null
  dated: boolean
  fields: readonly SliceField[]
  rowsByKey: KeyMap
  bytes: number
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
