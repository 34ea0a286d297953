// A materialised set that was made in another thread: its rows are read shard by shard, where somebody asks (2.7.10).
import { KeyMap } from './key-map.ts'
import type { PackedShard } from './packed-rows.ts'
import type { SetSlice } from './slice-types.ts'

/** All of a slice but its rows. */
export type SliceFacts = Omit<SetSlice, 'rowsByKey'>

export interface PackedSlice<Shard> {
  facts: SliceFacts
  shards: Shard[]
}

/** Every shard as `encode` makes it. */
export function packSlice<Shard>(
  { rowsByKey, ...facts }: SetSlice,
  encode: (text: string, size: number) => Shard,
): PackedSlice<Shard> {
  return { facts, shards: Array.from(rowsByKey.pack(), ({ text, size }) => encode(text, size)) }
}

/** Answers as the slice did that was packed. */
export function unpackSlice({ facts, shards }: PackedSlice<PackedShard>): SetSlice {
  return { ...facts, rowsByKey: KeyMap.packed(shards) }
}
