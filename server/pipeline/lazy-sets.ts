// The sets of one generation as a map. A set is materialised on first read unless it was built before.
import { buildSetSlice, type SetSlice } from '#kernel/config/index.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { OrgStore } from '../ports/org-store.ts'
import type { SliceCache } from './slice-cache.ts'
import { definitionOf } from './touched-sets.ts'

export class LazySets implements ReadonlyMap<string, SetSlice> {
  readonly #store: OrgStore
  readonly #generation: number
  readonly #view: ComponentView
  readonly #cache: SliceCache
  readonly #built: Map<string, SetSlice>

  /** `warm` contains slices that are already built; this map takes ownership of it. */
  constructor(
    store: OrgStore,
    generation: number,
    view: ComponentView,
    cache: SliceCache,
    warm = new Map<string, SetSlice>(),
  ) {
    this.#store = store
    this.#generation = generation
    this.#view = view
    this.#cache = cache
    this.#built = warm
  }

  get(set: string): SetSlice | undefined {
    return this.#built.get(set) ?? this.#build(set)
  }

  has(set: string): boolean {
    return this.#built.has(set) || definitionOf(this.#view, set) !== undefined
  }

  /** The slices that are already built, for the following generation. */
  builtSlices(): ReadonlyMap<string, SetSlice> {
    return this.#built
  }

  /** Adds a slice that was built elsewhere. */
  add(slice: SetSlice): void {
    this.#built.set(slice.set, slice)
  }

  get size(): number {
    return this.#view.count('config_set') + this.#view.count('feature_flag')
  }

  *keys(): MapIterator<string> {
    yield* this.#view.keys('config_set')
    yield* this.#view.keys('feature_flag')
  }

  *values(): MapIterator<SetSlice> {
    for (const set of this.keys()) yield this.get(set)!
  }

  *entries(): MapIterator<[string, SetSlice]> {
    for (const set of this.keys()) yield [set, this.get(set)!]
  }

  forEach(visit: (slice: SetSlice, set: string, map: ReadonlyMap<string, SetSlice>) => void): void {
    for (const [set, slice] of this.entries()) visit(slice, set, this)
  }

  [Symbol.iterator](): MapIterator<[string, SetSlice]> {
    return this.entries()
  }

  #build(set: string): SetSlice | undefined {
    const facts = this.#store.read((reader) => reader.sets.summary(this.#generation, set))
    const definition = facts === undefined ? undefined : definitionOf(this.#view, set)
    if (facts === undefined || definition === undefined) return undefined
    const slice = this.#cache.get(facts.digest) ?? this.#materialised(set, definition)
    this.#cache.put(slice)
    this.#built.set(set, slice)
    return slice
  }

  /** @throws AlmanacError storage.damaged if the set no longer matches its digest */
  #materialised(set: string, definition: NonNullable<ReturnType<typeof definitionOf>>): SetSlice {
    const { digest } = this.#store.read((reader) => reader.sets.verifiedSummary(this.#generation, set))!
    return buildSetSlice(definition, this.#view.entriesOf(set), digest)
  }
}
