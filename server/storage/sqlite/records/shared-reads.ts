// Reads that arrive in one turn of the event loop see one snapshot, so that they share its costs.
import { setImmediate } from 'node:timers'
import type { RecordReader } from '../../../ports/record-store.ts'
import { storageError } from '../storage-error.ts'

interface WaitingRead {
  run(reader: RecordReader): Promise<void>
  reject(error: unknown): void
}

export class SharedReads {
  readonly #transaction: (work: () => Promise<void>) => Promise<void>
  readonly #reader: RecordReader
  #waiting: WaitingRead[] = []

  /** @param transaction runs work over one snapshot */
  constructor(reader: RecordReader, transaction: (work: () => Promise<void>) => Promise<void>) {
    this.#reader = reader
    this.#transaction = transaction
  }

  read<T>(work: (reader: RecordReader) => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const run = async (reader: RecordReader): Promise<void> => {
      try {
        resolve(await work(reader))
      } catch (error) {
        reject(storageError(error))
      }
    }
    this.#waiting.push({ run, reject })
    if (this.#waiting.length === 1) setImmediate(() => this.#readTogether())
    return promise
  }

  #readTogether(): void {
    let reads: WaitingRead[] = []
    const readAll = async (): Promise<void> => {
      // The snapshot has just begun, so it is not older than any of these.
      reads = this.#waiting.splice(0)
      await Promise.all(reads.map(({ run }) => run(this.#reader)))
    }
    this.#transaction(readAll).catch((error: unknown) => {
      for (const { reject } of reads.length === 0 ? this.#waiting.splice(0) : reads) reject(error)
    })
  }
}
