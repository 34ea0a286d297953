// Stores large data that is not on the server yet on this machine: more than localStorage can hold, and
// without delaying typing. Each user who signs in here has separate data.
import { whenBackupOwnerKnown, backupKey } from './local-backup.ts'

const name = 'almanac-unsaved'
const store = 'rows'

/** What the windows of one user share: what is stored at that moment → what is stored from then on; null for nothing. */
type Update<T> = (stored: T | null) => T | null

/** Makes one update after the other; if several wait, makes only the newest. */
export class UnsavedRowsStore<T> {
  readonly #name: string
  #next: Update<T> | null = null
  #writing = false

  constructor(name: string) {
    this.#name = name
  }

  /** Whether an update has not been written yet. */
  get isWriting(): boolean {
    return this.#writing
  }

  /** Null deletes it. */
  put(value: T | null): void {
    this.update(() => value)
  }

  /** Another window may have stored something since this one has read. */
  update(update: Update<T>): void {
    this.#next = update
    if (!this.#writing) void this.#write()
  }

  /** Null if none exists, or if this browser stores nothing. */
  async read(): Promise<T | null> {
    await whenBackupOwnerKnown()
    const entry = await runTransaction('readonly', (rows) => rows.get(backupKey(this.#name))).catch(
      () => null,
    )
    return (entry as T | undefined) ?? null
  }

  async #write(): Promise<void> {
    this.#writing = true
    await whenBackupOwnerKnown()
    while (this.#next !== null) {
      const update = this.#next
      const place = backupKey(this.#name)
      this.#next = null
      // A browser that stores nothing only loses the second copy; the server still gets the first.
      await runTransaction('readwrite', (rows) => {
        const read = rows.get(place)
        read.onsuccess = () => {
          const value = update((read.result as T | undefined) ?? null)
          if (value === null) rows.delete(place)
          else rows.put(value, place)
        }
        return read
      }).catch(() => undefined)
    }
    this.#writing = false
  }
}

let opened: Promise<IDBDatabase> | null = null

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((done, failed) => {
    const request = indexedDB.open(name, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(store)
    request.onsuccess = () => done(request.result)
    request.onerror = () =>
      failed(request.error ?? new Error('This browser does not allow data to be stored.'))
  })
  return opened
}

async function runTransaction(
  mode: IDBTransactionMode,
  work: (rows: IDBObjectStore) => IDBRequest,
): Promise<unknown> {
  const database = await open()
  return new Promise((done, failed) => {
    const transaction = database.transaction(store, mode, { durability: 'strict' })
    const request = work(transaction.objectStore(store))
    transaction.oncomplete = () => done(request.result)
    transaction.onabort = transaction.onerror = () =>
      failed(transaction.error ?? new Error('Nothing was stored.'))
  })
}
