// The open tabs: addresses with a title. They survive closing the window, as far as what they show is still there.
import { defineStore } from 'pinia'
import { ref, watch } from 'vue'
import { fetchKnown } from '../api/components.ts'
import { idOfAddress } from '../frame/address.ts'
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
  /** Addresses of components that are not there any more. */
  const gone = ref(new Set<string>())
  let looked = false
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

  /** Looks which components are there. Of those that went before this window opened, only the one in front keeps its tab. */
  async function look(front: string): Promise<void> {
    const shown = tabs.value.flatMap(({ path }) => {
      const id = idOfAddress(path)
      return id === null ? [] : [{ path, id }]
    })
    const known = shown.length === 0 ? new Set() : await fetchKnown(shown.map(({ id }) => id))
    gone.value = new Set(shown.filter(({ id }) => !known.has(id)).map(({ path }) => path))
    if (!looked) tabs.value = tabs.value.filter(({ path }) => path === front || !gone.value.has(path))
    looked = true
  }
  return { tabs, gone, open, close, look }
})

function kept(): Tab[] {
  try {
    const found = JSON.parse(localStorage.getItem(place) ?? '[]') as Tab[]
    return Array.isArray(found) ? found.filter((tab) => typeof tab.path === 'string') : []
  } catch {
    return []
  }
}
