// Records that were read recently. They are current until something is written to the file.
import { RecentCache } from '#kernel/memo/recent-cache.ts'
import type { ObjectId } from '#kernel/records/index.ts'
import type { StoredRecord } from '../../../ports/record-store.ts'
import { weightOf } from './record-weight.ts'

/** Characters of all records that are kept. */
const most = 16 * 1024 * 1024

export class RecentRecords {
  #known = new RecentCache<StoredRecord>(most)
  #isEmpty = true

  get(object: ObjectId, id: string): StoredRecord | undefined {
    return this.#isEmpty ? undefined : this.#known.get(placeOf(object, id))
  }

  put(record: StoredRecord): void {
    this.#isEmpty = false
    this.#known.put(placeOf(record.object, record.id), record, weightOf(record))
  }

  /** Called when anything was written, and when what was read may have been undone. */
  clear(): void {
    if (!this.#isEmpty) this.#known = new RecentCache(most)
    this.#isEmpty = true
  }
}

const placeOf = (object: ObjectId, id: string): string => `${object} ${id}`
