// A set that was materialised in a different thread: its rows are read shard by shard, on demand.
import { KeyMap } from './key-map.ts'
import type { PackedShard } from './packed-rows.ts'
import type { SetSlice } from './slice-types.ts'

/** A slice without its rows. */
export type SliceHeader = Omit<SetSlice, 'rowsByKey'>

export interface PackedSlice<Shard> {
  facts: SliceHeader
  shards: Shard[]
}

/** Packs a slice, with each shard encoded by `encode`. */
export function packSlice<Shard>(
  { rowsByKey, ...facts }: SetSlice,
  encode: (text: string, size: number) => Shard,
): PackedSlice<Shard> {
  return { facts, shards: Array.from(rowsByKey.pack(), ({ text, size }) => encode(text, size)) }
}

/** Returns a slice with the same content as the packed one. */
export function unpackSlice({ facts, shards }: PackedSlice<PackedShard>): SetSlice {
  return { ...facts, rowsByKey: KeyMap.packed(shards) }
}
