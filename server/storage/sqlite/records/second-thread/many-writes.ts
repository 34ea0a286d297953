// Transactions with many records: this thread computes what another one writes. While that commits, the next transaction
// is computed over what the one before has written.
import type { RecordTransactor } from '../../../../ports/record-store.ts'
import type { CommittedRecords } from './committed-records.ts'
import { pipedTransactor } from './piped-transactor.ts'
import { WrittenRecords } from './written-records.ts'
import type { SentTransaction, WritingThread } from './writing-thread.ts'

type Work<T> = (transactor: RecordTransactor) => Promise<T>

/** The connection of this thread. */
export interface OwnConnection {
  readonly committed: CommittedRecords
  /** Runs work over one state of the committed records. */
  overOneState<T>(work: () => Promise<T>): Promise<T>
  /** Runs work in a transaction of this connection. */
  write<T>(work: Work<T>): Promise<T>
}

interface Before {
  transaction: SentTransaction
  written: WrittenRecords
}

export class ManyWrites {
  readonly #thread: WritingThread
  readonly #own: OwnConnection
  #before: Before | null = null

  constructor(thread: WritingThread, own: OwnConnection) {
    this.#thread = thread
    this.#own = own
  }

  /**
   * Call it while nothing else writes, except for a transaction whose `onSent` was called.
   * @param onSent called once everything is computed; the commit follows
   */
  async run<T>(work: Work<T>, onSent: () => void): Promise<T> {
    const before = this.#before?.transaction.hasEnded === false ? this.#before : null
    const { transaction, written } = this.#begin(before)
    let needsOneThread = false
    try {
      // Otherwise it follows from what the transaction before has written.
      if (before === null) written.position = (await transaction.begun).position
      const tx = pipedTransactor({
        ...{ committed: this.#own.committed, written, transaction, writes: this.#thread.writes },
        needsOneThread: () => (needsOneThread = true),
      })
      const result = await this.#own.overOneState(() => work(tx))
      if (!needsOneThread && (await follows(transaction, before))) {
        written.forgetBefore()
        transaction.commit()
        onSent()
        await transaction.ended
        if (transaction.failure !== null) throw transaction.failure
        return result
      }
    } catch (error) {
      if (!needsOneThread && (await follows(transaction, before))) {
        await transaction.rollBack()
        throw transaction.failure ?? error
      }
    }
    await transaction.rollBack()
    return this.#own.write(work)
  }

  #begin(before: Before | null): Before {
    const written = new WrittenRecords(this.#own.committed.keyOf, before?.written)
    return (this.#before = { transaction: this.#thread.begin(), written })
  }

  async close(): Promise<void> {
    await this.#thread.close()
  }
}

/** Whether nothing came between a transaction and the one before, over which it was computed. */
async function follows(transaction: SentTransaction, before: Before | null): Promise<boolean> {
  if (before === null) return true
  await before.transaction.ended
  if (before.transaction.failure !== null) return false
  // A transaction that has failed reports why.
  return transaction.begun.then(
    ({ othersHaveWritten }) => !othersHaveWritten,
    () => true,
  )
}
