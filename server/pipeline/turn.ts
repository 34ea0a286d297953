// Writers take turns: while an apply runs elsewhere, a write here waits without holding up readers.

/** Runs one piece of work at a time, in the order of asking. */
export class Turn {
  #last: Promise<unknown> = Promise.resolve()

  take<T>(work: () => Promise<T> | T): Promise<T> {
    const mine = this.#last.then(work)
    this.#last = mine.catch(() => undefined)
    return mine
  }
}
