// Which layout draws the record page of an object: the user's choice in this browser, otherwise the first by key.
import { defineStore } from 'pinia'
import { ref } from 'vue'
import type { ObjectDescription, PlacedPage } from '../../api/records.ts'

/** The choice of a page with every field. */
export const allFields = '*'
const place = 'almanac.layouts'

export const useRecordLayouts = defineStore('record-layouts', () => {
  const chosen = ref(stored())

  /** Null for a page with every field. A layout that was chosen and no longer exists is not the choice any more. */
  function layoutOf({ key, layouts }: Pick<ObjectDescription, 'key' | 'layouts'>): PlacedPage | null {
    const choice = chosen.value[key]
    if (choice === allFields) return null
    return layouts.find((layout) => layout.key === choice) ?? layouts[0] ?? null
  }

  function choose(object: string, layout: string): void {
    chosen.value = { ...chosen.value, [object]: layout }
    localStorage.setItem(place, JSON.stringify(chosen.value))
  }

  return { layoutOf, choose }
})

function stored(): Record<string, string> {
  try {
    const json: unknown = JSON.parse(localStorage.getItem(place) ?? '{}')
    return typeof json === 'object' && json !== null ? (json as Record<string, string>) : {}
  } catch {
    return {}
  }
}
