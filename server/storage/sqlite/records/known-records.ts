// Records that a write has read or written, until its transaction ends: the saves of a batch often read the same few.
import type { ObjectId } from '#kernel/records/index.ts'
import type { StoredRecord } from '../../../ports/record-store.ts'
import type { Row } from './rows.ts'

/** Records that are kept at hand. */
const most = 2000

export class KnownRecords {
  /** A row is decoded when it is read again. */
  readonly #known = new Map<string, Row | StoredRecord>()
  #isKept = false

  /** From now on: only within a write, which no other write can change. */
  keep(isKept: boolean): void {
    this.#isKept = isKept
    this.#known.clear()
  }

  /** @param decode called at most once for each row */
  get(object: ObjectId, id: string, decode: (row: Row) => StoredRecord): StoredRecord | undefined {
    const place = placeOf(object, id)
    const known = this.#known.get(place)
    if (known === undefined) return undefined
    if ('values' in known) return known as StoredRecord
    const record = decode(known)
    this.#known.set(place, record)
    return record
  }

  put(object: ObjectId, id: string, record: Row | StoredRecord): void {
    if (!this.#isKept) return
    if (this.#known.size >= most) this.#known.clear()
    this.#known.set(placeOf(object, id), record)
  }

  delete(object: ObjectId, id: string): void {
    this.#known.delete(placeOf(object, id))
  }

  clear(): void {
    this.#known.clear()
  }
}

const placeOf = (object: ObjectId, id: string): string => `${object} ${id}`
