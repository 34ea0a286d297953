// Writers take turns: while an apply runs in another thread, a write here waits without blocking readers.

/** The right to write, held by one writer at a time: of this thread, or borrowed from the readers' thread. */
export interface WriteRunner {
  run<T>(work: () => Promise<T> | T): Promise<T>
}

/** Runs one piece of work at a time, in the order of the calls. */
export class WriteQueue implements WriteRunner {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(work: () => Promise<T> | T): Promise<T> {
    const mine = this.#last.then(work)
    this.#last = mine.catch(() => undefined)
    return mine
  }
}
