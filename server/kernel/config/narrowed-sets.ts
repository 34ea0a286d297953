// Some sets of a generation, or stand-ins for them, without materialising a set that nobody asks for.
import type { SetSlice } from './slice-types.ts'

/** `through` gives what stands for a set: itself, another slice, or undefined where it is not to be seen. */
export function narrowedSets(
  sets: ReadonlyMap<string, SetSlice>,
  shown: (key: string) => boolean,
  through: (set: SetSlice) => SetSlice = (set) => set,
): ReadonlyMap<string, SetSlice> {
  return new NarrowedSets(sets, shown, through)
}

class NarrowedSets implements ReadonlyMap<string, SetSlice> {
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
