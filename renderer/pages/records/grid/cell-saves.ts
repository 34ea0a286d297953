// The saves of single cells that are on their way or were refused. They stay while other pages are shown, as the typed
// values do (`useRecordEdits`).
import { defineStore } from 'pinia'
import { reactive } from 'vue'
import type { RecordValue } from '../../../api/records.ts'

export type CellSave = { /** The name of a typed reference. */ display?: string } & (
  | { state: 'saving' }
  | { state: 'refused'; message: string }
  /** The record was changed in the meantime. `others`: its other fields that changed, by label. */
  | {
      state: 'conflict'
      before: RecordValue
      theirs: RecordValue
      theirName: string
      by: string
      others: string[]
    }
)

const placeOf = (path: string, field: string): string => `${path} ${field}`

export const useCellSaves = defineStore('cell-saves', () => {
  const all = reactive(new Map<string, CellSave>())
  /** @param path of the record */
  const of = (path: string, field: string): CellSave | undefined => all.get(placeOf(path, field))
  const set = (path: string, field: string, save: CellSave): unknown => all.set(placeOf(path, field), save)
  const drop = (path: string, field: string): unknown => all.delete(placeOf(path, field))
  return { of, set, drop }
})
