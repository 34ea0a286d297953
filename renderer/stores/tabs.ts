// The open tabs: addresses with a title. They survive closing the window.
import { defineStore } from 'pinia'
import { ref, watch } from 'vue'
import type { IconName } from '../frame/icons.ts'

export interface Tab {
  /** Address without its query; one tab an address. */
  path: string
  title: string
  icon: IconName
}

const place = 'almanac.tabs'

export const useTabs = defineStore('tabs', () => {
  const tabs = ref<Tab[]>(kept())
  watch(tabs, (open) => localStorage.setItem(place, JSON.stringify(open)), { deep: true })

  function open(tab: Tab): void {
    const known = tabs.value.find(({ path }) => path === tab.path)
    if (known === undefined) tabs.value.push(tab)
    else Object.assign(known, tab)
  }

  /** Takes a tab away; answers the address to go to instead, null where none is left. */
  function close(path: string): string | null {
    const at = tabs.value.findIndex((tab) => tab.path === path)
    if (at < 0) return null
    tabs.value.splice(at, 1)
    return (tabs.value[at] ?? tabs.value[at - 1])?.path ?? null
  }
  return { tabs, open, close }
})

function kept(): Tab[] {
  try {
    const found = JSON.parse(localStorage.getItem(place) ?? '[]') as Tab[]
    return Array.isArray(found) ? found.filter((tab) => typeof tab.path === 'string') : []
  } catch {
    return []
  }
}
