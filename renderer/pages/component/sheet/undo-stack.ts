// Steps for undo and redo: each has the state of every row before and after.

export interface Step<T> {
  /** The name of the action for a sentence: `paste`, `fill down`. */
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

  /** Returns the step to undo, or null. The caller writes each row's `before`. */
  undo(): Step<T> | null {
    const step = this.#done.pop()
    if (step !== undefined) this.#undone.push(step)
    return step ?? null
  }

  /** Returns the step to redo, or null. The caller writes each row's `after`. */
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

  /** Every row that a step affects. */
  *rows(): Iterable<string> {
    for (const { changes } of [...this.#done, ...this.#undone]) yield* changes.keys()
  }

  /**
   * Drops all steps up to and including the latest one that affects one of these rows; they can no longer be undone.
   */
  forget(rows: ReadonlySet<string>): void {
    const touches = (step: Step<T>): boolean => [...step.changes.keys()].some((row) => rows.has(row))
    this.#done = this.#done.slice(this.#done.findLastIndex(touches) + 1)
    this.#undone = this.#undone.slice(this.#undone.findLastIndex(touches) + 1)
  }
}
