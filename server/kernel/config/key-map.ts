// Rows by business key, in shards, so that one changed key of a hundred thousand copies a few hundred, not all.
import type { KeyRows } from './slice-rows.ts'

const smallest = 4096
const shardCount = 256

/** Immutable from the outside: `with` gives another map that shares every shard it does not change. */
export class KeyMap {
  readonly #shards: readonly Map<string, KeyRows>[]
  readonly #mask: number

  private constructor(shards: readonly Map<string, KeyRows>[]) {
    this.#shards = shards
    this.#mask = shards.length - 1
  }

  static readonly empty = new KeyMap([new Map()])

  get(key: string): KeyRows | undefined {
    const mask = this.#mask
    return (mask === 0 ? this.#shards[0] : this.#shards[shardOf(key) & mask])!.get(key)
  }

  get size(): number {
    let size = 0
    for (const shard of this.#shards) size += shard.size
    return size
  }

  *keys(): Iterable<string> {
    for (const shard of this.#shards) yield* shard.keys()
  }

  *values(): Iterable<KeyRows> {
    for (const shard of this.#shards) yield* shard.values()
  }

  /** The map with these keys replaced; null takes a key away. */
  with(changes: ReadonlyMap<string, KeyRows | null>): KeyMap {
    if (changes.size === 0) return this
    const grown = this.#mask === 0 && this.#shards[0]!.size + changes.size > smallest
    const shards = grown ? this.#spread() : [...this.#shards]
    const mask = shards.length - 1
    const own = new Set<number>()
    for (const [key, rows] of changes) {
      const at = mask === 0 ? 0 : shardOf(key) & mask
      if (!own.has(at)) {
        shards[at] = new Map(shards[at])
        own.add(at)
      }
      if (rows === null) shards[at]!.delete(key)
      else shards[at]!.set(key, rows)
    }
    return new KeyMap(shards)
  }

  #spread(): Map<string, KeyRows>[] {
    const shards = Array.from({ length: shardCount }, () => new Map<string, KeyRows>())
    for (const [key, rows] of this.#shards[0]!) shards[shardOf(key) & (shardCount - 1)]!.set(key, rows)
    return shards
  }
}

/** FNV-1a over the last characters, where keys of one family differ. */
function shardOf(key: string): number {
  let hash = 0x811c9dc5
  for (let at = Math.max(0, key.length - 8); at < key.length; at += 1)
    hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return hash ^ (hash >>> 16)
}
