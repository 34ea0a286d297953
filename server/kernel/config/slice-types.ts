// Types of a materialised set: rows by key, scope and day.
import type { ConfigFieldType } from '../components/field-types.ts'
import type { ScopeKind } from '../components/scopes.ts'
import type { KeyMap } from './key-map.ts'
import type { Digest } from '../change/digest.ts'

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

export type { KeyRows, SliceRow } from './slice-rows.ts'
