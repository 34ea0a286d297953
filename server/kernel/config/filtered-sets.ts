// A view of some sets of a generation, or of replacements for them, that materialises only the sets that are read.
import type { SetSlice } from './slice-types.ts'

/** `through` returns the slice to show for a set: the set itself, a different slice, or undefined to hide it. */
export function filterSets(
  sets: ReadonlyMap<string, SetSlice>,
  shown: (key: string) => boolean,
  through: (set: SetSlice) => SetSlice = (set) => set,
): ReadonlyMap<string, SetSlice> {
  return new FilteredSets(sets, shown, through)
}

class FilteredSets implements ReadonlyMap<string, SetSlice> {
  readonly #sets: ReadonlyMap<string, SetSlice>
  readonly #shown: (key: string) => boolean
  readonly #through: (set: SetSlice) => SetSlice

  constructor(
    sets: ReadonlyMap<string, SetSlice>,
    shown: (key: string) => boolean,
    through: (set: SetSlice) => SetSlice,
  ) {
    this.#sets = sets
    this.#shown = shown
    this.#through = through
  }

  get(key: string): SetSlice | undefined {
    const set = this.#shown(key) ? this.#sets.get(key) : undefined
    return set === undefined ? undefined : this.#through(set)
  }

  has(key: string): boolean {
    return this.#shown(key) && this.#sets.has(key)
  }

  get size(): number {
    let size = 0
    for (const _key of this.keys()) size += 1
    return size
  }

  *keys(): MapIterator<string> {
    for (const key of this.#sets.keys()) if (this.#shown(key)) yield key
  }

  *values(): MapIterator<SetSlice> {
    for (const key of this.keys()) yield this.get(key)!
  }

  *entries(): MapIterator<[string, SetSlice]> {
    for (const key of this.keys()) yield [key, this.get(key)!]
  }

  forEach(visit: (set: SetSlice, key: string, map: ReadonlyMap<string, SetSlice>) => void): void {
    for (const [key, set] of this.entries()) visit(set, key, this)
  }

  [Symbol.iterator](): MapIterator<[string, SetSlice]> {
    return this.entries()
  }
}
