// Components that were read lately, by digest: a version is the same object in every generation that holds it.
import type { Component } from '#kernel/components/body-types.ts'

/** Least recently used goes first. Bounded by the length of the stored text, which stands for its weight. */
export class ParsedCache {
  readonly #limit: number
  readonly #items = new Map<string, { component: Component; weight: number }>()
  #weight = 0

  /** @param limit characters of stored JSON */
  constructor(limit: number) {
    this.#limit = limit
  }

  get(digest: string): Component | undefined {
    const item = this.#items.get(digest)
    if (item === undefined) return undefined
    this.#items.delete(digest)
    this.#items.set(digest, item)
    return item.component
  }

  put(digest: string, component: Component, weight: number): void {
    if (weight > this.#limit || this.#items.has(digest)) return
    this.#items.set(digest, { component, weight })
    this.#weight += weight
    for (const [oldest, item] of this.#items) {
      if (this.#weight <= this.#limit) return
      this.#items.delete(oldest)
      this.#weight -= item.weight
    }
  }
}
