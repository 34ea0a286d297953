// Much that is not on the server yet, in this machine's own memory: beyond what the small store of a window holds, and
// without holding up who types (studio: "Nothing lost"). Everybody who signs in here has their own.
import { copiesOwned, copyPlace } from './left-copies.ts'

const name = 'almanac-unsaved'
const store = 'rows'

/** Writes one value after the other, the newest alone where several wait. */
export class KeptAside<T> {
  readonly #name: string
  #next: { value: T | null } | null = null
  #writing = false

  constructor(name: string) {
    this.#name = name
  }

  /** Null forgets it. */
  put(value: T | null): void {
    this.#next = { value }
    if (!this.#writing) void this.#write()
  }

  /** Null where there is none, or where this browser keeps none. */
  async read(): Promise<T | null> {
    await copiesOwned()
    const found = await within('readonly', (rows) => rows.get(copyPlace(this.#name))).catch(() => null)
    return (found as T | undefined) ?? null
  }

  async #write(): Promise<void> {
    this.#writing = true
    await copiesOwned()
    while (this.#next !== null) {
      const { value } = this.#next
      const place = copyPlace(this.#name)
      this.#next = null
      // A browser that keeps none costs only the second copy; the server still gets the first.
      await within('readwrite', (rows) =>
        value === null ? rows.delete(place) : rows.put(value, place),
      ).catch(() => undefined)
    }
    this.#writing = false
  }
}

let opened: Promise<IDBDatabase> | null = null

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((done, failed) => {
    const asked = indexedDB.open(name, 1)
    asked.onupgradeneeded = () => asked.result.createObjectStore(store)
    asked.onsuccess = () => done(asked.result)
    asked.onerror = () => failed(asked.error ?? new Error('This browser stores nothing.'))
  })
  return opened
}

async function within(
  mode: IDBTransactionMode,
  work: (rows: IDBObjectStore) => IDBRequest,
): Promise<unknown> {
  const database = await open()
  return new Promise((done, failed) => {
    const transaction = database.transaction(store, mode, { durability: 'strict' })
    const asked = work(transaction.objectStore(store))
    transaction.oncomplete = () => done(asked.result)
    transaction.onabort = transaction.onerror = () =>
      failed(transaction.error ?? new Error('Nothing was kept.'))
  })
}
