// The transactions of the connection to the records, which follow each other.
import type { Db } from '../db.ts'
import { storageError } from '../storage-error.ts'
import { rollBackTransaction } from '../transaction.ts'
import { FollowedWrites, type Noticed } from './followed-writes.ts'
import { beginInTurn } from './lock-turns.ts'
import type { Statements } from './statements.ts'

export type Begin = 'BEGIN' | 'BEGIN IMMEDIATE'

/** What follows a transaction. */
export interface TransactionHooks {
  /** Called first in each transaction, with what others have written since the last one. */
  begun(isWriting: boolean, noticed: Noticed): void
  /** Called before a commit. */
  committing(): void
  /** Called before a transaction is rolled back. */
  undone(): void
  ended(): void
}

export class Transactions {
  readonly #db: Db
  readonly #statement: Statements
  readonly #hooks: TransactionHooks
  readonly #others: FollowedWrites
  #last: Promise<unknown> = Promise.resolve()
  /** Transactions that are running or wait for their turn. */
  #running = 0
  /** Resolves once the transactions of the other thread are computed, unless something else follows them. */
  #sent: Promise<void> | null = null
  /** Whether another connection has written since the last transaction. */
  othersHaveWritten = false

  constructor(db: Db, statement: Statements, hooks: TransactionHooks) {
    this.#db = db
    this.#statement = statement
    this.#hooks = hooks
    this.#others = new FollowedWrites(db)
  }

  get isIdle(): boolean {
    return this.#running === 0
  }

  /** Resolves once everything that was started until now has ended. */
  get last(): Promise<unknown> {
    return this.#last
  }

  /** Runs work in a transaction of its own, after those before it. */
  follow<T>(begin: Begin, work: () => Promise<T>): Promise<T> {
    return this.inTurn(() => this.run(begin, work))
  }

  inTurn<T>(run: () => Promise<T>): Promise<T> {
    this.#running += 1
    this.#sent = null
    const result = this.#last.then(run).finally(() => (this.#running -= 1))
    this.#last = result.catch(() => undefined)
    return result
  }

  /**
   * Runs what another thread writes.
   * @param run receives what to call once everything is computed: the next one of this kind begins then
   */
  inTurnUntilSent<T>(run: (onSent: () => void) => Promise<T>): Promise<T> {
    const start = this.#sent ?? this.#last
    const sent = Promise.withResolvers<void>()
    this.#running += 1
    const result = start
      .then(() => run(sent.resolve))
      .finally(() => {
        this.#running -= 1
        sent.resolve()
      })
    this.#sent = sent.promise
    this.#last = Promise.all([this.#last, result.catch(() => undefined)])
    return result
  }

  /** Runs work in a transaction, in the turn that the caller has. */
  async run<T>(begin: Begin, work: () => Promise<T>): Promise<T> {
    try {
      if (begin === 'BEGIN') this.begin(begin)
      else await beginInTurn(this.#db, () => this.begin(begin))
      const result = await work()
      this.#hooks.committing()
      this.commit()
      return result
    } catch (error) {
      throw this.undo(error)
    } finally {
      this.#hooks.ended()
    }
  }

  begin(begin: Begin): void {
    if (this.#db.inTransaction) rollBackTransaction(this.#db)
    this.#statement(begin).run()
    const noticed = this.#others.notice()
    this.othersHaveWritten = noticed.isWritten
    this.#hooks.begun(begin === 'BEGIN IMMEDIATE', noticed)
  }

  commit(): void {
    this.#statement('COMMIT').run()
  }

  /** Returns the error to throw. */
  undo(error: unknown): unknown {
    this.#hooks.undone()
    rollBackTransaction(this.#db)
    return storageError(error)
  }
}
