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
    const { [field]: _, ...others } = of(path)
    const typed = value === stored ? others : { ...others, [field]: value }
    if (Object.keys(typed).length === 0) all.delete(path)
    else all.set(path, typed)
  }

  const discard = (path: string): unknown => all.delete(path)
  return { of, set, discard, all }
})
