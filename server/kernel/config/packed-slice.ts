// A set that was materialised in another thread: its rows are read shard by shard, on demand.
import { KeyMap } from './key-map.ts'
import type { PackedShard } from './packed-rows.ts'
import type { SetSlice } from './slice-types.ts'

/** A slice without its rows. */
export type SliceHeader = Omit<SetSlice, 'rowsByKey'>

export interface PackedSlice<Shard> {
  header: SliceHeader
  shards: Shard[]
}

/** Packs a slice, with each shard encoded by `encode`. */
export function packSlice<Shard>(
  { rowsByKey, ...facts }: SetSlice,
  encode: (text: string, size: number) => Shard,
): PackedSlice<Shard> {
  return { header: facts, shards: Array.from(rowsByKey.pack(), ({ text, size }) => encode(text, size)) }
}

/** Returns a slice with the same content as the packed one. */
export function unpackSlice({ header, shards }: PackedSlice<PackedShard>): SetSlice {
  return { ...header, rowsByKey: KeyMap.fromPacked(shards) }
}
