// Materialised sets by their configuration digest: generations that hold the same set share one slice
// (docs/reference/bindings-and-evidence.md).
import type { Digest } from '#kernel/change/index.ts'
import type { SetSlice } from '#kernel/config/index.ts'

/** Evicts the least recently used first. Slices of a pinned generation stay alive through the pin. */
export class SliceCache {
  readonly #limit: number
  readonly #slices = new Map<Digest, SetSlice>()
  #bytes = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get(digest: Digest): SetSlice | undefined {
    const slice = this.#slices.get(digest)
    if (slice === undefined) return undefined
    this.#slices.delete(digest)
    this.#slices.set(digest, slice)
    return slice
  }

  put(slice: SetSlice): void {
    if (this.#slices.has(slice.digest)) return
    this.#slices.set(slice.digest, slice)
    this.#bytes += slice.bytes
    for (const [digest, oldest] of this.#slices) {
      if (this.#bytes <= this.#limit || this.#slices.size === 1) return
      this.#slices.delete(digest)
      this.#bytes -= oldest.bytes
    }
  }
}
