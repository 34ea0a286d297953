// Rows by business key, in shards, so that one changed key of a hundred thousand copies a few hundred, not all.
import type { KeyRows } from './slice-rows.ts'

const smallest = 4096
const shardCount = 256

type Shard = Map<string, KeyRows>

/** Immutable: an edit gives another map that shares every shard it does not change. */
export class KeyMap {
  readonly #shards: readonly Shard[]
  readonly #mask: number

  constructor(shards: readonly Shard[]) {
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

  edit(): KeyMapEdit {
    return new KeyMapEdit(this.#shards)
  }
}

/** A map in the making. Each step is short, so that a large one can be made in pieces between other work. */
export class KeyMapEdit {
  #shards: Shard[]
  #own: Set<number>

  constructor(shards: readonly Shard[]) {
    this.#shards = [...shards]
    this.#own = new Set()
  }

  get(key: string): KeyRows | undefined {
    return this.#shards[this.#at(key)]!.get(key)
  }

  set(key: string, rows: KeyRows): void {
    const shard = this.#writable(this.#at(key))
    shard.set(key, rows)
    if (this.#shards.length === 1 && shard.size > smallest) this.#spread()
  }

  delete(key: string): void {
    const at = this.#at(key)
    if (this.#shards[at]!.has(key)) this.#writable(at).delete(key)
  }

  /** Nothing may be edited afterwards. */
  finish(): KeyMap {
    return new KeyMap(this.#shards)
  }

  #at(key: string): number {
    return this.#shards.length === 1 ? 0 : shardOf(key) & (this.#shards.length - 1)
  }

  #writable(at: number): Shard {
    if (!this.#own.has(at)) {
      this.#shards[at] = new Map(this.#shards[at])
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

/** FNV-1a over the last characters, where keys of one family differ. */
function shardOf(key: string): number {
  let hash = 0x811c9dc5
  for (let at = Math.max(0, key.length - 8); at < key.length; at += 1)
    hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return hash ^ (hash >>> 16)
}
