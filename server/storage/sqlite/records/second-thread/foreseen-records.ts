// Committed records that a transaction is about to look for, read many at once: one by one, each would be a statement.
import type { FieldId, ObjectId } from '#kernel/records/index.ts'
import type { Foreseen, StoredRecord } from '../../../../ports/record-store.ts'
import type { SqlValue } from '../encoding.ts'
import type { CommittedRecords } from './committed-records.ts'

/** Records with the foreseen values of a field: they are unique, so that more are not expected. */
const most = 2000

export class ForeseenRecords {
  readonly #committed: CommittedRecords
  /** By object and id; null if it does not exist. */
  #records = new Map<string, StoredRecord | null>()
  /** By object and field, then by value. */
  #found = new Map<string, Map<SqlValue, StoredRecord[]>>()

  constructor(committed: CommittedRecords) {
    this.#committed = committed
  }

  /** Replaces what was foreseen before. */
  read(all: readonly Foreseen[]): void {
    this.#records = new Map()
    this.#found = new Map()
    for (const each of all) {
      if ('ids' in each) this.#readIds(each.object, each.ids)
      else this.#readValues(each)
    }
  }

  /** Null if it does not exist; undefined if it was not foreseen. */
  get(object: ObjectId, id: string): StoredRecord | null | undefined {
    return this.#records.get(placeOf(object, id))
  }

  /** In the order of their ids; undefined if the value was not foreseen. */
  find(object: ObjectId, field: FieldId, key: SqlValue): readonly StoredRecord[] | undefined {
    return this.#found.get(placeOf(object, field))?.get(key)
  }

  #readIds(object: ObjectId, ids: readonly string[]): void {
    for (const id of ids) this.#records.set(placeOf(object, id), null)
    for (const record of this.#committed.get(object, ids))
      this.#records.set(placeOf(object, record.id), record)
  }

  #readValues({ object, field, values }: Extract<Foreseen, { field: FieldId }>): void {
    const { keyOf, findAny } = this.#committed
    const records = findAny(object, field, values, most + 1)
    if (records.length > most) return
    const found = new Map<SqlValue, StoredRecord[]>()
    for (const value of values) found.set(keyOf(object, field, value), [])
    for (const record of records) {
      found.get(keyOf(object, field, record.values.get(field) ?? null))?.push(record)
      this.#records.set(placeOf(object, record.id), record)
    }
    this.#found.set(placeOf(object, field), found)
  }
}

const placeOf = (object: ObjectId, name: string | FieldId): string => `${object} ${name}`
