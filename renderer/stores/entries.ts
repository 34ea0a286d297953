// The entries of one set as the grid shows them: active rows with the drafts over them.
import { defineStore } from 'pinia'
import { shallowReactive } from 'vue'
import { fetchAllComponents } from '../api/components.ts'
import type { ComponentRow } from '../api/wire.ts'

export const useEntries = defineStore('entries', () => {
  const bySet = shallowReactive(new Map<string, ComponentRow[]>())

  async function load(set: string): Promise<ComponentRow[]> {
    const rows = await fetchAllComponents({ type: 'config_entry', set })
    bySet.set(set, rows)
    return rows
  }
  return { bySet, load }
})
