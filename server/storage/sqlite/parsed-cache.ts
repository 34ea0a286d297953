// Components that were read lately, by digest: a version is the same object in every generation that holds it.
import type { Component } from '#kernel/components/body-types.ts'

interface Item {
  component: Component
  weight: number
}

/**
 * What was not read for long goes first. Bounded by the length of the stored text, which stands for its weight. Two maps
 * that take turns: a hit in the younger one moves nothing, where a map that is reordered at each hit keeps what it
 * deleted in its chains and becomes slow by its own size.
 */
export class ParsedCache {
  readonly #limit: number
  #young = new Map<string, Item>()
  #old = new Map<string, Item>()
  /** Of the younger map. */
  #weight = 0

  /** @param limit characters of stored JSON */
  constructor(limit: number) {
    this.#limit = limit
  }

  get(digest: string): Component | undefined {
    const young = this.#young.get(digest)
    if (young !== undefined) return young.component
    const old = this.#old.get(digest)
    if (old === undefined) return undefined
    this.#keep(digest, old)
    return old.component
  }

  put(digest: string, component: Component, weight: number): void {
    if (weight > this.#limit / 2 || this.get(digest) !== undefined) return
    this.#keep(digest, { component, weight })
  }

  #keep(digest: string, item: Item): void {
    if (this.#weight + item.weight > this.#limit / 2) {
      this.#old = this.#young
      this.#young = new Map()
      this.#weight = 0
    }
    this.#young.set(digest, item)
    this.#weight += item.weight
  }
}
