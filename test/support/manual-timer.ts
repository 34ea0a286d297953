// A timer that a test advances by hand. Several processes can share its time, each with an end of its own.
import type { Timer } from '../../server/ports/timer.ts'

interface Wait {
  at: number
  resolve: () => void
}

export class ManualTimer implements Timer {
  #now = 0
  #waits: Wait[] = []
  /** The lengths of all waits that are not in the background. */
  readonly waited: number[] = []

  elapsedMs(): number {
    return this.#now
  }

  async wait(ms: number, { signal, isBackground = false }: Parameters<Timer['wait']>[1] = {}): Promise<void> {
    signal?.throwIfAborted()
    if (!isBackground) this.waited.push(ms)
    await new Promise<void>((resolve, reject) => {
      this.#waits.push({ at: this.#now + ms, resolve })
      signal?.addEventListener('abort', () => reject(signal.reason as Error))
    })
  }

  /** Moves on, and lets everything run that waited until then, in its order. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms
    await settle()
    for (;;) {
      const [next] = this.#waits.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
      if (next === undefined) break
      this.#waits = this.#waits.filter((wait) => wait !== next)
      this.#now = Math.max(this.#now, next.at)
      next.resolve()
      await settle()
    }
    this.#now = end
    await settle()
  }
}

/** Lets promises go on that wait for nothing else. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}
