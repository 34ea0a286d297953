// Reads that wait for nothing. Those of one moment share a snapshot.
import type { Transactions } from './transactions.ts'

export class Moments {
  readonly #transactions: Transactions
  #isInMoment = false
  /** Whether a read of the moment has begun the snapshot. */
  #hasBegun = false

  constructor(transactions: Transactions) {
    this.#transactions = transactions
  }

  /** Null while a transaction is running. */
  read<T>(work: () => T): { value: T } | null {
    if (!this.#transactions.isIdle) return null
    try {
      if (!this.#hasBegun) this.#transactions.begin('BEGIN')
      this.#hasBegun = this.#isInMoment
      const value = work()
      if (!this.#isInMoment) this.#transactions.commit()
      return { value }
    } catch (error) {
      this.#hasBegun = false
      throw this.#transactions.undo(error)
    }
  }

  run(work: () => void): void {
    this.#isInMoment = true
    try {
      work()
    } finally {
      this.#isInMoment = false
      if (this.#hasBegun) this.#end()
      this.#hasBegun = false
    }
  }

  /** Nothing was written, so nothing is lost if it fails. */
  #end(): void {
    try {
      this.#transactions.commit()
    } catch (error) {
      this.#transactions.undo(error)
    }
  }
}
