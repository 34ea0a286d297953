// The side of the thread that writes: it performs the writes of one transaction at a time as they arrive.
import { serializeError } from '#kernel/errors/serialized-error.ts'
import type { RecordTransactor } from '../../../../ports/record-store.ts'
import type { SqliteRecordStore } from '../record-store.ts'
import type { FromWriter, ToWriter } from './messages.ts'
import { SentWriteReader } from './sent-writes.ts'
import type { BegunTransaction } from './writing-thread.ts'

type Step = Exclude<ToWriter, { kind: 'begin' }>
type Begin = Extract<ToWriter, { kind: 'begin' }>

type Store = Pick<SqliteRecordStore, 'write' | 'rows' | 'othersHaveWritten'>

/** Thrown because the other side undoes a savepoint. */
const undoneSavepoint = Symbol('undone savepoint')
/** Thrown because the other side undoes the transaction. */
const undone = Symbol('undone')

export class WriteServer {
  readonly #store: Store
  readonly #send: (message: FromWriter) => void
  readonly #reader = new SentWriteReader()
  #steps: Step[] = []
  #wake: (() => void) | null = null
  #isOpen = false

  constructor(store: Store, send: (message: FromWriter) => void) {
    this.#store = store
    this.#send = send
  }

  receive(message: ToWriter): void {
    if (message.kind === 'begin') return void this.#transaction(message)
    // The transaction has failed, which the other side does not know yet. One that waits for the lock keeps its steps.
    if (!this.#isOpen) return
    this.#steps.push(message)
    this.#wake?.()
  }

  async #transaction({ id }: Begin): Promise<void> {
    this.#steps = []
    this.#reader.begin()
    this.#isOpen = true
    let isBegun = false
    try {
      await this.#store.write(async (tx) => {
        isBegun = true
        const { othersHaveWritten } = this.#store
        const answer: BegunTransaction = { othersHaveWritten, position: await tx.position() }
        this.#send({ kind: 'answer', id, answer })
        await this.#perform(tx)
      })
      this.#end(null)
    } catch (error) {
      if (isBegun) this.#end(error)
      else this.#refuse(id, error)
    }
  }

  #refuse(id: number, error: unknown): void {
    this.#isOpen = false
    this.#send({ kind: 'refusal', id, error: serializeError(error) })
  }

  #end(error: unknown): void {
    this.#isOpen = false
    const isFailure = error !== null && error !== undone
    this.#send({ kind: 'ended', error: isFailure ? serializeError(error) : null })
  }

  /** Until the transaction is committed, or the savepoint released. */
  async #perform(tx: RecordTransactor): Promise<void> {
    for (;;) {
      if (await this.#performList(tx)) return
      const step = await this.#step()
      if (step.kind === 'commit') return
      if (step.kind === 'roll_back') throw undone
      if (step.kind === 'writes') this.#reader.take(step.writes)
      else await this.#answer(tx, step)
    }
  }

  /** Returns whether the savepoint is released. */
  async #performList(tx: RecordTransactor): Promise<boolean> {
    while (!this.#reader.isAtEnd()) {
      const next = this.#reader.perform(this.#store.rows)
      if (next === undefined) continue
      if (next === 'release') return true
      if (next === 'undo') throw undoneSavepoint
      if (next === 'savepoint') await this.#savepoint(tx)
      else await (tx[next.method] as (...values: readonly unknown[]) => Promise<void>)(...next.values)
    }
    return false
  }

  async #savepoint(tx: RecordTransactor): Promise<void> {
    try {
      await tx.savepoint(() => this.#perform(tx))
    } catch (error) {
      if (error !== undoneSavepoint) throw error
    }
  }

  async #answer(
    tx: RecordTransactor,
    { id, method, values }: Extract<Step, { kind: 'call' }>,
  ): Promise<void> {
    try {
      const call = tx[method as 'position'] as (...each: readonly unknown[]) => Promise<unknown>
      this.#send({ kind: 'answer', id, answer: await call(...values) })
    } catch (error) {
      this.#send({ kind: 'refusal', id, error: serializeError(error) })
    }
  }

  async #step(): Promise<Step> {
    while (this.#steps.length === 0) await new Promise<void>((wake) => (this.#wake = wake))
    this.#wake = null
    return this.#steps.shift()!
  }
}
