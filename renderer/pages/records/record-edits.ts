// Values that were typed into records and are not saved yet. They stay while other pages are shown.
import { defineStore } from 'pinia'
import { reactive } from 'vue'
import type { RecordValue } from '../../api/records.ts'

/** What a form contains: text for every type except yes or no. */
export type TypedValues = Record<string, RecordValue>

export const useRecordEdits = defineStore('record-edits', () => {
  const all = reactive(new Map<string, TypedValues>())

  /** @param path of the record */
  const of = (path: string): TypedValues => all.get(path) ?? {}

  function set(path: string, field: string, value: RecordValue, stored: RecordValue): void {
    if (value === stored) drop(path, field)
    else keep(path, field, value)
  }

  /** Keeps a value even if it is the stored one, because a save of a different one is on its way. */
  const keep = (path: string, field: string, value: RecordValue): unknown =>
    all.set(path, { ...of(path), [field]: value })

  /** Forgets the value of one field. */
  function drop(path: string, field: string): void {
    const { [field]: _, ...others } = of(path)
    if (Object.keys(others).length === 0) all.delete(path)
    else all.set(path, others)
  }

  const discard = (path: string): unknown => all.delete(path)
  return { of, set, keep, drop, discard, all }
})
