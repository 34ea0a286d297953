// Steps that can be taken back and done again: each names what every row was before and after (studio: "Frame").

export interface Step<T> {
  /** What was done, for a sentence: `paste`, `fill down`. */
  label: string
  /** By row. */
  changes: ReadonlyMap<string, { before: T | undefined; after: T | undefined }>
}

const most = 500

export class UndoStack<T> {
  #done: Step<T>[] = []
  #undone: Step<T>[] = []

  push(step: Step<T>): void {
    if (step.changes.size === 0) return
    this.#done.push(step)
    if (this.#done.length > most) this.#done.shift()
    this.#undone = []
  }

  /** The step to take back, or null. The caller writes each row's `before`. */
  undo(): Step<T> | null {
    const step = this.#done.pop()
    if (step !== undefined) this.#undone.push(step)
    return step ?? null
  }

  /** The step to do again, or null. The caller writes each row's `after`. */
  redo(): Step<T> | null {
    const step = this.#undone.pop()
    if (step !== undefined) this.#done.push(step)
    return step ?? null
  }

  get last(): Step<T> | null {
    return this.#done.at(-1) ?? null
  }

  get next(): Step<T> | null {
    return this.#undone.at(-1) ?? null
  }

  /** Every row that a step touches. */
  *rows(): Iterable<string> {
    for (const { changes } of [...this.#done, ...this.#undone]) yield* changes.keys()
  }

  /** Forgets what was done up to and with the latest step that touches one of these rows: it cannot be taken back any more. */
  forget(rows: ReadonlySet<string>): void {
    const touches = (step: Step<T>): boolean => [...step.changes.keys()].some((row) => rows.has(row))
    this.#done = this.#done.slice(this.#done.findLastIndex(touches) + 1)
    this.#undone = this.#undone.slice(this.#undone.findLastIndex(touches) + 1)
  }
}
