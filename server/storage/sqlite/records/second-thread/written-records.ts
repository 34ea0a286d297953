// What a transaction has written, in layers: one for each open savepoint.
import type { FieldId, ObjectId } from '#kernel/records/index.ts'
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { StoredRecord } from '../../../../ports/record-store.ts'
import type { SqlValue } from '../encoding.ts'

/** A value as its column stores it, so that equal ones are equal; null without a column. */
export type KeyOf = (object: ObjectId, field: FieldId, value: FieldValue) => SqlValue

type Layer = Map<string, StoredRecord | null>

export class WrittenRecords {
  readonly #valueKeyOf: KeyOf
  readonly #layers: Layer[] = [new Map()]
  /** The position when each open savepoint began. */
  readonly #positions: number[] = []
  /** By object and field: ids of records that have, or had, a value. */
  readonly #indexes = new Map<ObjectId, Map<FieldId, Map<SqlValue, Set<string>>>>()
  /** Of each object, those that are written; some may have been undone. */
  readonly #ids = new Map<ObjectId, Set<string>>()
  readonly #generations = new Set<number>()
  #before: WrittenRecords | null
  /** The sequence number of the last change: that of the store as the transaction began, and one more for each change. */
  position: number

  /** @param before what the transaction before has written, which is perhaps not committed yet */
  constructor(keyOf: KeyOf, before: WrittenRecords | null = null) {
    this.#valueKeyOf = keyOf
    this.#before = before
    this.position = before?.position ?? 0
  }

  /** Called when the transaction before is committed, and nothing reads in this one any more. */
  forgetBefore(): void {
    this.#before = null
  }

  /** The generations that written values are bound to; some may have been undone. */
  boundGenerations(): ReadonlySet<number> {
    return this.#before === null
      ? this.#generations
      : new Set([...this.#before.boundGenerations(), ...this.#generations])
  }

  /** Null if it was removed; undefined if the transaction has not written it. */
  get(object: ObjectId, id: string): StoredRecord | null | undefined {
    const place = placeOf(object, id)
    for (let at = this.#layers.length - 1; at >= 0; at -= 1) {
      const record = this.#layers[at]!.get(place)
      if (record !== undefined) return record
    }
    return this.#before?.get(object, id)
  }

  put(record: StoredRecord): void {
    this.#set(record.object, record.id, record)
    for (const { archived, generation } of record.bindings.values())
      if (archived === undefined) this.#generations.add(generation)
    for (const [field, index] of this.#indexes.get(record.object) ?? []) this.#index(index, record, field)
  }

  remove(object: ObjectId, id: string): void {
    this.#set(object, id, null)
  }

  /** How many records of an object it may have written. */
  count(object: ObjectId): number {
    return (this.#ids.get(object)?.size ?? 0) + (this.#before?.count(object) ?? 0)
  }

  /** The written records with a value. */
  find(object: ObjectId, field: FieldId, key: SqlValue): StoredRecord[] {
    if (key === null || this.count(object) === 0) return []
    const ids = new Set(this.#indexOf(object, field).get(key) ?? [])
    for (const { id } of this.#before?.find(object, field, key) ?? []) ids.add(id)
    return [...ids].flatMap((id) => {
      const record = this.get(object, id)
      return record && this.#keyOf(record, field) === key ? [record] : []
    })
  }

  openLayer(): void {
    this.#layers.push(new Map())
    this.#positions.push(this.position)
  }

  /** @param keeps false if what was written since the layer was opened is undone */
  closeLayer(keeps: boolean): void {
    const layer = this.#layers.pop()!
    const below = this.#layers.at(-1)!
    const position = this.#positions.pop()!
    if (keeps) for (const [place, record] of layer) below.set(place, record)
    else this.position = position
  }

  #set(object: ObjectId, id: string, record: StoredRecord | null): void {
    this.#layers.at(-1)!.set(placeOf(object, id), record)
    let ids = this.#ids.get(object)
    if (ids === undefined) this.#ids.set(object, (ids = new Set()))
    ids.add(id)
  }

  #indexOf(object: ObjectId, field: FieldId): Map<SqlValue, Set<string>> {
    let indexes = this.#indexes.get(object)
    if (indexes === undefined) this.#indexes.set(object, (indexes = new Map()))
    let index = indexes.get(field)
    if (index !== undefined) return index
    indexes.set(field, (index = new Map()))
    for (const id of this.#ids.get(object) ?? [])
      for (const layer of this.#layers) {
        const record = layer.get(placeOf(object, id))
        if (record) this.#index(index, record, field)
      }
    return index
  }

  #keyOf({ object, values }: StoredRecord, field: FieldId): SqlValue {
    return this.#valueKeyOf(object, field, values.get(field) ?? null)
  }

  #index(index: Map<SqlValue, Set<string>>, record: StoredRecord, field: FieldId): void {
    const key = this.#keyOf(record, field)
    if (key === null) return
    const ids = index.get(key)
    if (ids === undefined) index.set(key, new Set([record.id]))
    else ids.add(record.id)
  }
}

const placeOf = (object: ObjectId, id: string): string => `${object} ${id}`
