// Inserts rows of one table, several with each statement: half of an insert's time is overhead of the statement.
import { run, type Db } from './db.ts'

/** More rows per statement gain nothing. */
const maxRowsPerStatement = 10

export class RowBatch {
  readonly #db: Db
  readonly #insert: string
  readonly #after: RowBatch | null
  #values: unknown[] = []
  #rows = 0

  /** `insert` is the statement up to its values. The rows of `after` are written first, because these refer to them. */
  constructor(db: Db, insert: string, after: RowBatch | null = null) {
    this.#db = db
    this.#insert = insert
    this.#after = after
  }

  /** One value for each column of the statement. */
  add(row: readonly unknown[]): void {
    this.#values.push(...row)
    this.#rows += 1
    if (this.#rows === maxRowsPerStatement) this.flush()
  }

  /** Writes the added rows. Call it before anything reads the table, and at the end. */
  flush(): void {
    this.#after?.flush()
    if (this.#rows === 0) return
    const row = `(${Array<string>(this.#values.length / this.#rows)
      .fill('?')
      .join(', ')})`
    run(this.#db, `${this.#insert} VALUES ${Array<string>(this.#rows).fill(row).join(', ')}`, ...this.#values)
    this.#values = []
    this.#rows = 0
  }
}
