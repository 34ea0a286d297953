// The generations that readers use. Activation builds what changed in pieces, then flips.
import type { ComponentView } from '#kernel/components/view.ts'
import {
  SliceBuilder,
  type EvaluationSnapshot,
  type GenerationSlice,
  type SetSlice,
} from '#kernel/config/index.ts'
import { splitId } from '#kernel/components/component.ts'
import type { OrgStore } from '../ports/org-store.ts'
import { createYielder } from './event-loop.ts'
import { LazySets } from './lazy-sets.ts'
import type { SliceLoader } from './request.ts'
import { SliceCache } from './slice-cache.ts'
import { definitionOf } from './touched-sets.ts'

/** One generation for reading. Its holder keeps it, even if another one is activated in the meantime. */
export interface Snapshot extends EvaluationSnapshot {
  sets: LazySets
}

/** Number of older generations that are cached. */
const MAX_OLDER_SNAPSHOTS = 256
/** Number of changes whose keys are replaced in one piece, which takes a few milliseconds. */
const MAX_REPLACED_CHANGES = 200
const CACHE_BYTES = 128 * 1024 * 1024
/** Size in bytes up to which a slice is built here faster than it could be fetched. */
const SMALL_SLICE_BYTES = 256 * 1024

export class SnapshotCache {
  readonly #store: OrgStore
  readonly #elsewhere: SliceLoader | undefined
  readonly #cache = new SliceCache(CACHE_BYTES)
  readonly #older = new Map<number, Snapshot>()
  /** Large sets that are being built for readers, by digest. */
  readonly #loading = new Map<string, Promise<SetSlice | undefined>>()
  #active: Snapshot
  #activating: Promise<void> = Promise.resolve()
  /** Whether every set is materialised at activation, or on first read. */
  #eager = false

  /** `elsewhere` builds large sets, if present. */
  constructor(store: OrgStore, elsewhere?: SliceLoader) {
    this.#store = store
    this.#elsewhere = elsewhere
    this.#active = this.#load(store.read((reader) => reader.generations.active()))
  }

  active(): Snapshot {
    return this.#active
  }

  /** @throws AlmanacError generation.not_found */
  at(generation: number): Snapshot {
    if (generation === this.#active.generation) return this.#active
    const snapshot = this.#older.get(generation) ?? this.#load(generation)
    this.#older.delete(generation)
    this.#older.set(generation, snapshot)
    for (const oldest of this.#older.keys()) {
      if (this.#older.size <= MAX_OLDER_SNAPSHOTS) break
      this.#older.delete(oldest)
    }
    return snapshot
  }

  /** Builds a large set of a generation without blocking readers. A small one is built on first read. */
  async load({ generation, view, sets }: Snapshot, set: string): Promise<void> {
    if (sets.builtSlices().has(set)) return
    const facts = this.#store.read((reader) => reader.sets.summary(generation, set))
    if (facts === undefined || facts.bytes < SMALL_SLICE_BYTES) return
    const known = this.#loading.get(facts.digest) ?? this.#warm(generation, view, set)
    this.#loading.set(facts.digest, known)
    try {
      const slice = await known
      if (slice !== undefined) sets.add(slice)
    } finally {
      this.#loading.delete(facts.digest)
    }
  }

  /** Builds every set of the active generation, in pieces; from now on, each activation does the same. */
  async materialise(): Promise<void> {
    this.#eager = true
    const { sets } = this.#active
    for (const set of [...sets.keys()]) await this.load(this.#active, set)
    for (const set of [...sets.keys()]) sets.get(set)
  }

  /**
   * Activates for readers what is active in storage. Runs one at a time. Returns whether the active generation changed.
   */
  async activate(): Promise<boolean> {
    const before = this.#active.generation
    const next = this.#activating.then(() => this.#flip())
    this.#activating = next.catch(() => undefined)
    await next
    return this.#active.generation !== before
  }

  async #flip(): Promise<void> {
    const generation = this.#store.read((reader) => reader.generations.active())
    const from = this.#active
    if (generation === from.generation) return
    const view = this.#store.read((reader) => reader.generations.view(generation))
    const changed = this.#store.read((reader) => reader.sets.changedBetween(from.generation, generation))
    const warm = new Map(from.sets.builtSlices())
    for (const set of changed) {
      const known = warm.get(set)
      warm.delete(set)
      if (known === undefined && !this.#eager) continue
      const slice = await this.#warm(generation, view, set, known, from)
      if (slice !== undefined) warm.set(set, slice)
    }
    this.#older.set(from.generation, from)
    this.#active = this.#load(generation, warm)
  }

  async #warm(
    generation: number,
    view: ComponentView,
    set: string,
    previous?: SetSlice,
    from?: Snapshot,
  ): Promise<SetSlice | undefined> {
    const facts = this.#store.read((reader) => reader.sets.summary(generation, set))
    const definition = definitionOf(view, set)
    if (facts === undefined || definition === undefined) return undefined
    const cached = this.#cache.get(facts.digest)
    if (cached !== undefined) return cached
    const update = previous !== undefined && this.#fewChanges(from!.generation, generation)
    if (update) {
      const builder = new SliceBuilder(definition, previous)
      for (const key of this.#changedKeys(from!, view, generation, set))
        builder.replaceKey(key, view.entriesAt(set, key))
      return this.#keep(builder.finish(facts.digest))
    }
    const made = facts.bytes < SMALL_SLICE_BYTES ? undefined : await this.#madeElsewhere(generation, set)
    if (made !== undefined) return this.#keep(made)
    this.#store.read((reader) => reader.sets.verifiedSummary(generation, set))
    const builder = new SliceBuilder(definition)
    const breathe = createYielder()
    for (const entry of view.entriesOf(set)) {
      builder.add(entry)
      const pause = breathe()
      if (pause !== undefined) await pause
    }
    return this.#keep(builder.finish(facts.digest))
  }

  /**
   * Undefined if there is no other builder, or if it failed: the generation is active, and readers must get it anyway.
   */
  async #madeElsewhere(generation: number, set: string): Promise<SetSlice | undefined> {
    try {
      return await this.#elsewhere?.(generation, set)
    } catch {
      return undefined
    }
  }

  /** Whether replacing keys is certainly short; otherwise the set is built again, in pieces. */
  #fewChanges(from: number, to: number): boolean {
    let changes = 0
    for (let each = Math.min(from, to) + 1; each <= Math.max(from, to); each += 1) {
      const row = this.#store.read((reader) => reader.generations.get(each))
      const { added, changed, renamed, removed } = row!.counts
      changes += added + changed + renamed + removed
      if (changes > MAX_REPLACED_CHANGES) return false
    }
    return true
  }

  #keep(slice: SetSlice): SetSlice {
    this.#cache.put(slice)
    return slice
  }

  /** Business keys of a set whose entries differ between two generations. */
  #changedKeys(from: Snapshot, view: ComponentView, generation: number, set: string): Set<string | null> {
    const ids = this.#store.read((reader) => reader.components.changedBetween(from.generation, generation))
    const keys = new Set<string | null>()
    // A flag's default is its row at org.
    if (view.has('feature_flag', set)) keys.add(null)
    for (const id of ids) {
      if (!id.startsWith(`config_entry/${set}.`)) continue
      const { key } = splitId(id)
      for (const each of [from.view, view]) {
        const entry = each.get('config_entry', key)
        if (entry !== undefined) keys.add(entry.body.key ?? null)
      }
    }
    return keys
  }

  #load(generation: number, warm?: Map<string, SetSlice>): Snapshot {
    return snapshotOf(this.#store, generation, this.#cache, warm)
  }
}

/** One generation for one piece of work: its slices are released with it. @throws AlmanacError generation.not_found */
export function snapshotAt(store: OrgStore, generation: number): Snapshot {
  return snapshotOf(store, generation, new SliceCache(CACHE_BYTES))
}

function snapshotOf(
  store: OrgStore,
  generation: number,
  cache: SliceCache,
  warm?: Map<string, SetSlice>,
): Snapshot {
  return store.read((reader) => {
    const view = reader.generations.view(generation)
    const sets = new LazySets(store, generation, view, cache, warm)
    const bytes = reader.generations.get(generation)?.sliceBytes ?? 0
    const slice: GenerationSlice = { generation, sets, bytes }
    return { generation, view, slice, sets }
  })
}
