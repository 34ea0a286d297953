// Jobs that rest after a failure that can pass, each twice as long as the time before.

/** In milliseconds. */
const restMs = { first: 250, longest: 60_000 }
/** Interval of the check for jobs that another process has left, such as one that was killed, in milliseconds. */
export const lookMs = 10_000

interface Rest {
  ms: number
  isOver: boolean
  timer: NodeJS.Timeout
}

export class Rests {
  readonly #rests = new Map<string, Rest>()
  readonly #onOver: () => void

  /** @param onOver called when a job can be tried again */
  constructor(onOver: () => void) {
    this.#onOver = onOver
  }

  isResting(id: string): boolean {
    return this.#rests.get(id)?.isOver === false
  }

  begin(id: string): void {
    const earlier = this.#rests.get(id)
    const ms = Math.min((earlier?.ms ?? restMs.first / 2) * 2, restMs.longest)
    const end = (): void => {
      rest.isOver = true
      this.#onOver()
    }
    const rest: Rest = { ms, isOver: false, timer: setTimeout(end, ms).unref() }
    this.#rests.set(id, rest)
  }

  /** After a success, the next rest is short again. */
  forget(id: string): void {
    this.#rests.delete(id)
  }

  close(): void {
    for (const { timer } of this.#rests.values()) clearTimeout(timer)
  }
}
