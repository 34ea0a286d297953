// Stores rows by business key in shards: a change to one key among a hundred thousand copies only a few dozen keys.
import { packRows, unpackRows, type PackedShard } from './packed-rows.ts'
import type { KeyRows } from './slice-rows.ts'

const smallest = 4096
/** High enough to read a shard, or copy it for a change, in a fraction of a millisecond. */
const shardCount = 2048

type Shard = Map<string, KeyRows>

/** Placeholder for a shard that has not been read yet. */
const unread: Shard = new Map()

/** Immutable: an edit gives a new map that shares every unchanged shard. */
export class KeyMap {
  readonly #shards: Shard[]
  /** The packed text of shards that are `unread`. */
  readonly #packed: (PackedShard | undefined)[]
  readonly #mask: number

  constructor(shards: Shard[], packed: (PackedShard | undefined)[] = []) {
    this.#shards = shards
    this.#packed = packed
    this.#mask = shards.length - 1
  }

  static readonly empty = new KeyMap([new Map()])

  /** Restores a map from `pack`. A shard is read when one of its keys is first requested. */
  static fromPacked(shards: readonly PackedShard[]): KeyMap {
    return new KeyMap(Array<Shard>(shards.length).fill(unread), [...shards])
  }

  get(key: string): KeyRows | undefined {
    const mask = this.#mask
    const at = mask === 0 ? 0 : shardOf(key) & mask
    const shard = this.#shards[at]!
    return (shard === unread ? this.#shard(at) : shard).get(key)
  }

  get size(): number {
    return this.#shards.reduce((size, shard, at) => size + (this.#packed[at] ?? shard).size, 0)
  }

  *keys(): Iterable<string> {
    for (let at = 0; at < this.#shards.length; at += 1) yield* this.#shard(at).keys()
  }

  *values(): Iterable<KeyRows> {
    for (let at = 0; at < this.#shards.length; at += 1) yield* this.#shard(at).values()
  }

  edit(): KeyMapBuilder {
    return new KeyMapBuilder(this.#shards, this.#packed)
  }

  /** Packs shard by shard, for a different thread. */
  *pack(): Iterable<{ size: number; text: string }> {
    for (let at = 0; at < this.#shards.length; at += 1) {
      const shard = this.#shard(at)
      yield { size: shard.size, text: packRows(shard) }
    }
  }

  #shard(at: number): Shard {
    return readShard(this.#shards, this.#packed, at)
  }
}

/** Builds a map. Each step is short, so a large map can be built in pieces between other work. */
export class KeyMapBuilder {
  #shards: Shard[]
  readonly #packed: (PackedShard | undefined)[]
  #own: Set<number>

  constructor(shards: readonly Shard[], packed: readonly (PackedShard | undefined)[]) {
    this.#shards = [...shards]
    this.#packed = [...packed]
    this.#own = new Set()
  }

  get(key: string): KeyRows | undefined {
    return this.#shard(this.#at(key)).get(key)
  }

  set(key: string, rows: KeyRows): void {
    const shard = this.#writable(this.#at(key))
    shard.set(key, rows)
    if (this.#shards.length === 1 && shard.size > smallest) this.#spread()
  }

  delete(key: string): void {
    const at = this.#at(key)
    if (this.#shard(at).has(key)) this.#writable(at).delete(key)
  }

  /** Returns the map. No edits are allowed afterwards. */
  finish(): KeyMap {
    return new KeyMap(this.#shards, this.#packed)
  }

  #at(key: string): number {
    return this.#shards.length === 1 ? 0 : shardOf(key) & (this.#shards.length - 1)
  }

  #shard(at: number): Shard {
    return readShard(this.#shards, this.#packed, at)
  }

  #writable(at: number): Shard {
    if (!this.#own.has(at)) {
      this.#shards[at] = new Map(this.#shard(at))
      this.#own.add(at)
    }
    return this.#shards[at]!
  }

  #spread(): void {
    const shards = Array.from({ length: shardCount }, (): Shard => new Map())
    for (const [key, rows] of this.#shards[0]!) shards[shardOf(key) & (shardCount - 1)]!.set(key, rows)
    this.#shards = shards
    this.#own = new Set(shards.keys())
  }
}

/** Returns the shard at an index, and reads it first if necessary. */
function readShard(shards: Shard[], packed: (PackedShard | undefined)[], at: number): Shard {
  const waiting = packed[at]
  if (waiting !== undefined) {
    shards[at] = unpackRows(waiting.text())
    packed[at] = undefined
  }
  return shards[at]!
}

/** FNV-1a over the last characters, in which related keys usually differ. */
function shardOf(key: string): number {
  let hash = 0x811c9dc5
  for (let at = Math.max(0, key.length - 8); at < key.length; at += 1)
    hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return hash ^ (hash >>> 16)
}
