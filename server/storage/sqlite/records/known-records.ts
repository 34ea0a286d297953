// Records that a write has read or written, until its transaction ends: the saves of a batch often read the same few.
import type { ObjectId } from '#kernel/records/index.ts'
import type { StoredRecord } from '../../../ports/record-store.ts'
import type { Row } from './rows.ts'

/** Records that are kept at hand. */
const most = 2000

export class KnownRecords {
  readonly #known = new Map<string, Known>()
  #isKept = false

  /** From now on: only within a write, which no other write can change. */
  keep(isKept: boolean): void {
    this.#isKept = isKept
    this.#known.clear()
  }

  /** @param decode called at most once for each row */
  get(object: ObjectId, id: string, decode: (row: Row) => StoredRecord): StoredRecord | undefined {
    const known = this.#known.get(placeOf(object, id))
    if (known === undefined) return undefined
    known.record ??= decode(known.row)
    return known.record
  }

  /** The row as it is stored. */
  row(object: ObjectId, id: string): Row | undefined {
    return this.#known.get(placeOf(object, id))?.row
  }

  put(object: ObjectId, id: string, row: Row, record: StoredRecord | null = null): void {
    if (!this.#isKept) return
    if (this.#known.size >= most) this.#known.clear()
    this.#known.set(placeOf(object, id), { row, record })
  }

  delete(object: ObjectId, id: string): void {
    this.#known.delete(placeOf(object, id))
  }

  clear(): void {
    this.#known.clear()
  }
}

interface Known {
  row: Row
  /** The row, decoded when it is read again. */
  record: StoredRecord | null
}

const placeOf = (object: ObjectId, id: string): string => `${object} ${id}`
