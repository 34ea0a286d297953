// Records that a write has read or written, until its transaction ends: the saves of a batch often read and change the
// same few. One that changes again and again, as a parent with a roll-up, is written when something else reads its table.
import type { ObjectId } from '#kernel/records/index.ts'
import type { StoredRecord } from '../../../ports/record-store.ts'
import type { Row } from './rows.ts'

/** Records that are kept at hand. */
const most = 2000

export class KnownRecords {
  readonly #known = new Map<string, Known>()
  readonly #changed = new Set<Known>()
  readonly #write: (record: StoredRecord, before: Row) => Row
  #isKept = false

  /** @param write writes a record that is stored as `before`, and returns its new row */
  constructor(write: (record: StoredRecord, before: Row) => Row) {
    this.#write = write
  }

  /** From now on: only within a write, which no other write can change. */
  keep(isKept: boolean): void {
    this.#isKept = isKept
    this.clear()
  }

  /** @param decode called at most once for each row */
  get(object: ObjectId, id: string, decode: (row: Row) => StoredRecord): StoredRecord | undefined {
    const known = this.#known.get(placeOf(object, id))
    if (known === undefined) return undefined
    known.record ??= decode(known.row)
    return known.record
  }

  put(object: ObjectId, id: string, row: Row, record: StoredRecord | null = null): void {
    if (!this.#isKept) return
    if (this.#known.size >= most) {
      this.writeChanges()
      this.#known.clear()
    }
    this.#known.set(placeOf(object, id), { row, record })
  }

  /** Changes a record that is known; it is written later. False if it is not known. */
  change(record: StoredRecord): boolean {
    const known = this.#known.get(placeOf(record.object, record.id))
    if (known === undefined) return false
    known.record = record
    this.#changed.add(known)
    return true
  }

  /** Called before anything else reads the tables of the changed records, and before a commit or a savepoint. */
  writeChanges(): void {
    if (this.#changed.size === 0) return
    for (const known of this.#changed) known.row = this.#write(known.record!, known.row)
    this.#changed.clear()
  }

  delete(object: ObjectId, id: string): void {
    const place = placeOf(object, id)
    const known = this.#known.get(place)
    if (known === undefined) return
    this.#known.delete(place)
    this.#changed.delete(known)
  }

  /** Forgets changes that are not written, too: they were undone. */
  clear(): void {
    this.#known.clear()
    this.#changed.clear()
  }
}

interface Known {
  /** As it is stored. */
  row: Row
  /** As it is now; null until the row is decoded. */
  record: StoredRecord | null
}

const placeOf = (object: ObjectId, id: string): string => `${object} ${id}`
