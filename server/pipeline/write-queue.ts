// Writers take turns: while an apply runs in another thread, a write here waits without blocking readers.

/** The right to write, held by one writer at a time: of this thread, or borrowed from the readers' thread. */
export interface WriteRunner {
  run<T>(work: () => Promise<T> | T): Promise<T>
}

/** Runs one piece of work at a time, in the order of the calls. */
export class WriteQueue implements WriteRunner {
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  /** Whether a writer waits for its turn. */
  get isWanted(): boolean {
    return this.#waiting > 0
  }

  run<T>(work: () => Promise<T> | T): Promise<T> {
    this.#waiting += 1
    const mine = this.#last.then(() => {
      this.#waiting -= 1
      return work()
    })
    this.#last = mine.catch(() => undefined)
    return mine
  }
}
