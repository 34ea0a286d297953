// A cache of recent results, keyed by text.

interface Item<V> {
  value: V
  weight: number
}

/**
 * Evicts the least recently used items first. Bounded by the length of the texts, as an estimate of their size. Uses
 * two maps in turn: a hit in the younger one moves nothing, whereas a map that is reordered at each hit keeps deleted
 * items in its chains and becomes slow as it grows.
 */
export class RecentCache<V> {
  readonly #limit: number
  #young = new Map<string, Item<V>>()
  #old = new Map<string, Item<V>>()
  /** Size of the younger map. */
  #weight = 0

  /** @param limit Characters of text. */
  constructor(limit: number) {
    this.#limit = limit
  }

  get(key: string): V | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young.value
    const old = this.#old.get(key)
    if (old === undefined) return undefined
    this.#keep(key, old)
    return old.value
  }

  /** Adds or replaces a value. */
  put(key: string, value: V, weight: number): void {
    if (weight > this.#limit / 2) return this.#drop(key)
    this.#keep(key, { value, weight })
  }

  #drop(key: string): void {
    this.#weight -= this.#young.get(key)?.weight ?? 0
    this.#young.delete(key)
    this.#old.delete(key)
  }

  #keep(key: string, item: Item<V>): void {
    this.#weight -= this.#young.get(key)?.weight ?? 0
    if (this.#weight + item.weight > this.#limit / 2) {
      this.#old = this.#young
      this.#young = new Map()
      this.#weight = 0
    }
    this.#young.set(key, item)
    this.#weight += item.weight
  }
}
