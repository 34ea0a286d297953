// A stored record by the names of one generation.
import type { FieldValue } from '../components/field-types.ts'
import type { FieldId, RecordSnapshot, RecordState } from './record-state.ts'

/** Returns a record that was loaded for the evaluation; undefined if it does not exist. */
export type LoadedRecords = (id: string) => RecordState | undefined

export interface RecordView {
  /** The key of its object in this generation. */
  readonly object: string
  /** The stored form of an entered field, a stored formula or a roll-up. */
  value(field: string): FieldValue
  /** The record that a reference refers to; null if it is absent or does not exist. */
  follow(field: string): RecordView | null
}

/** Null if its object does not exist in the generation. */
export function viewRecord(
  record: RecordState,
  snapshot: RecordSnapshot,
  loaded: LoadedRecords,
): RecordView | null {
  const object = snapshot.names.objectKey(record.object)
  return object === undefined ? null : viewValues(object, record.values, snapshot, loaded)
}

/** The view of a record whose values may still change. */
export function viewValues(
  object: string,
  values: ReadonlyMap<FieldId, FieldValue>,
  snapshot: RecordSnapshot,
  loaded: LoadedRecords,
): RecordView {
  return new ViewedValues(object, values, snapshot, loaded)
}

class ViewedValues implements RecordView {
  readonly object: string
  readonly #values: ReadonlyMap<FieldId, FieldValue>
  readonly #ids: ReadonlyMap<string, FieldId>
  readonly #snapshot: RecordSnapshot
  readonly #loaded: LoadedRecords
  #followed: Map<string, RecordView | null> | null = null

  constructor(
    object: string,
    values: ReadonlyMap<FieldId, FieldValue>,
    snapshot: RecordSnapshot,
    loaded: LoadedRecords,
  ) {
    this.object = object
    this.#values = values
    this.#ids = snapshot.names.fieldIds(object)
    this.#snapshot = snapshot
    this.#loaded = loaded
  }

  value(field: string): FieldValue {
    const id = this.#ids.get(field)
    return (id === undefined ? undefined : this.#values.get(id)) ?? null
  }

  follow(field: string): RecordView | null {
    const id = this.value(field)
    if (typeof id !== 'string') return null
    const followed = (this.#followed ??= new Map())
    let target = followed.get(id)
    if (target === undefined) {
      const record = this.#loaded(id)
      target = record === undefined ? null : viewRecord(record, this.#snapshot, this.#loaded)
      followed.set(id, target)
    }
    return target
  }
}

/** The loaded records with one as it is now: a reference can lead back to the record that is being computed. */
export function loadedWith(loaded: LoadedRecords, record: RecordState): LoadedRecords {
  return (id) => (id === record.id ? record : loaded(id))
}
