// Keeps what was imported a moment ago, so that a plan and the apply after it fetch a description once.

const keptMs = 60_000
const most = 20

export class RecentImports<T> {
  readonly #now: () => number
  readonly #known = new Map<string, { at: number; value: Promise<T> }>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** A failure is not kept. */
  async getOrAdd(name: string, add: () => Promise<T>): Promise<T> {
    const now = this.#now()
    for (const [each, { at }] of this.#known) if (now - at >= keptMs) this.#known.delete(each)
    const known = this.#known.get(name)
    if (known !== undefined) return known.value
    const value = add()
    this.#known.set(name, { at: now, value })
    if (this.#known.size > most) this.#known.delete(this.#known.keys().next().value!)
    value.catch(() => this.#known.delete(name))
    return value
  }
}
