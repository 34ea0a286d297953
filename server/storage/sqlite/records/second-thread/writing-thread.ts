// The thread that writes what the transactions of another thread have computed, as that thread sees it.
import type { Worker } from 'node:worker_threads'
import { deserializeError } from '#kernel/errors/serialized-error.ts'
import type { FromWriter, ToWriter } from './messages.ts'
import { WriteSender } from './sent-writes.ts'

/** Starts the thread, and takes it back. */
export interface ThreadSource {
  start(): Worker
  release(thread: Worker): Promise<void>
}

export class WritingThread {
  readonly #source: ThreadSource
  readonly writes = new WriteSender((list) => this.#post({ kind: 'writes', writes: list }))
  #thread: Worker | null = null
  #next = 1
  /** Those that have not ended, in their order. */
  #open: SentTransaction[] = []

  constructor(source: ThreadSource) {
    this.#source = source
  }

  /** Begins a transaction, once the one before has ended in the other thread. Everything that is sent after it belongs to it. */
  begin(): SentTransaction {
    this.#thread ??= this.#start()
    this.#thread.ref()
    const transaction = new SentTransaction(this.#next++, {
      newId: () => this.#next++,
      send: (message) => {
        this.writes.flush()
        this.#post(message)
      },
    })
    this.#open.push(transaction)
    this.writes.begin()
    this.#post({ kind: 'begin', id: transaction.id })
    return transaction
  }

  async close(): Promise<void> {
    const thread = this.#thread
    this.#thread = null
    if (thread !== null) await this.#source.release(thread)
  }

  #start(): Worker {
    const thread = this.#source.start()
    thread.on('message', (message: FromWriter) => this.#receive(message))
    thread.on('error', (error) => this.#lose(thread, error as Error))
    thread.on('exit', () => this.#lose(thread, new Error('The thread that writes records has stopped.')))
    return thread
  }

  #receive(message: FromWriter): void {
    if (message.kind === 'ended') {
      const transaction = this.#open.shift()!
      transaction.end(message.error === null ? null : deserializeError(message.error))
    } else {
      const transaction = this.#open.find((each) => each.waitsFor(message.id))
      transaction?.receive(message)
      if (transaction?.hasEnded === true) this.#open = this.#open.filter((each) => each !== transaction)
    }
    if (this.#open.length === 0) this.#thread?.unref()
  }

  #lose(thread: Worker, error: Error): void {
    if (this.#thread !== thread) return
    this.#thread = null
    for (const transaction of this.#open.splice(0)) transaction.end(error)
  }

  #post(message: ToWriter): void {
    this.#thread?.postMessage(message)
  }
}

interface Channel {
  newId(): number
  /** Sends a message after all writes before it. */
  send(message: ToWriter): void
}

/** A transaction of the other thread. */
export class SentTransaction {
  readonly id: number
  readonly #channel: Channel
  readonly #begun = Promise.withResolvers<BegunTransaction>()
  readonly #ended = Promise.withResolvers<void>()
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  /** Why nothing was written. */
  failure: Error | null = null
  hasEnded = false

  constructor(id: number, channel: Channel) {
    this.id = id
    this.#channel = channel
    this.#begun.promise.catch(() => undefined)
  }

  /** @throws AlmanacError `org.busy`, `storage.*` */
  get begun(): Promise<BegunTransaction> {
    return this.#begun.promise
  }

  /** Resolves once it was committed, rolled back or has failed. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  /** Calls a method of the transactor of the thread, after everything that was written before. */
  call(method: string, values: readonly unknown[]): Promise<unknown> {
    if (this.failure !== null) return Promise.reject(this.failure)
    const id = this.#channel.newId()
    const waiting = Promise.withResolvers<unknown>()
    this.#waiting.set(id, waiting)
    this.#channel.send({ kind: 'call', id, method, values })
    return waiting.promise
  }

  commit(): void {
    if (!this.hasEnded) this.#channel.send({ kind: 'commit' })
  }

  async rollBack(): Promise<void> {
    if (!this.hasEnded) this.#channel.send({ kind: 'roll_back' })
    await this.ended
  }

  waitsFor(id: number): boolean {
    return id === this.id || this.#waiting.has(id)
  }

  receive(message: Exclude<FromWriter, { kind: 'ended' }>): void {
    const { id } = message
    if (id === this.id) {
      if (message.kind === 'answer') return this.#begun.resolve(message.answer as BegunTransaction)
      return this.end(deserializeError(message.error))
    }
    const waiting = this.#waiting.get(id)!
    this.#waiting.delete(id)
    if (message.kind === 'answer') waiting.resolve(message.answer)
    else waiting.reject(deserializeError(message.error))
  }

  /** @param failure null if it was committed, or rolled back as asked */
  end(failure: Error | null): void {
    this.failure = failure
    this.hasEnded = true
    const error = failure ?? new Error('The transaction has ended.')
    this.#begun.reject(error)
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
    this.#ended.resolve()
  }
}

export interface BegunTransaction {
  /** Whether anybody else has written since the transaction of the thread before it. */
  othersHaveWritten: boolean
  /** See `RecordReader.position`. */
  position: number
}
