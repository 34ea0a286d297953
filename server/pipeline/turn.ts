// Writers take turns: while an apply runs elsewhere, a write here waits without holding up readers.

/** The right to write, held by one at a time: of this thread, or borrowed from the thread of the readers. */
export interface WriterTurn {
  take<T>(work: () => Promise<T> | T): Promise<T>
}

/** Runs one piece of work at a time, in the order of asking. */
export class Turn implements WriterTurn {
  #last: Promise<unknown> = Promise.resolve()

  take<T>(work: () => Promise<T> | T): Promise<T> {
    const mine = this.#last.then(work)
    this.#last = mine.catch(() => undefined)
    return mine
  }
}
