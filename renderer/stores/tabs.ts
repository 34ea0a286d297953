// The open tabs, on one side or on two. Only URLs: a URL determines what is shown.
import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import { fetchKnown } from '../api/components.ts'
import { idOfAddress } from '../frame/address.ts'

export interface Tab {
  /** Identifies the tab; one tab per URL on a side. */
  path: string
  /** The URL with its query: `/playground?set=vat_rate`. */
  address: string
  /** Opened by a visit only: the next visited page replaces it. */
  preview?: boolean | undefined
}

export interface Side {
  tabs: Tab[]
  /** The URL that it shows, even for a page without a tab. */
  front: string
}

export type SideNumber = 0 | 1

interface ClosedTab {
  side: SideNumber
  at: number
  tab: Tab
}

export const minShare = 20
export const maxShare = 80
const mostShut = 30
const empty = (): Side => ({ tabs: [], front: '/' })

export const useTabs = defineStore('tabs', () => {
  const sides = ref<Side[]>([empty()])
  const focused = ref<SideNumber>(0)
  /** Percent of the width that the left side has. */
  const share = ref(50)
  const closedTabs = ref<ClosedTab[]>([])
  /** Paths of components that no longer exist. */
  const missingPaths = ref(new Set<string>())
  let looked = false

  const split = computed(() => sides.value.length > 1)
  const other = computed<SideNumber>(() => (focused.value === 0 ? 1 : 0))
  const all = computed(() => sides.value.flatMap(({ tabs }) => tabs))
  const of = (side: SideNumber): Side => sides.value[side] ?? sides.value[0]!

  /** Records that a side shows a URL; `path` identifies its tab, null for a page without one. */
  function setFront(side: SideNumber, path: string | null, address: string): void {
    const { tabs } = of(side)
    of(side).front = address
    if (path === null) return
    const known = tabs.find((tab) => tab.path === path)
    if (known !== undefined) return void (known.address = address)
    const visited = tabs.findIndex(({ preview }) => preview)
    const tab = { path, address, preview: true }
    if (visited < 0) tabs.push(tab)
    else tabs.splice(visited, 1, tab)
  }

  /** Makes a preview tab permanent. */
  function pin(side: SideNumber, path: string | null): void {
    const tab = of(side).tabs.find((each) => each.path === path)
    if (tab?.preview) tab.preview = false
  }

  /** Does the same on every side. */
  function pinAll(path: string): void {
    for (const at of sides.value.keys()) pin(at as SideNumber, path)
  }

  /** The tab of a form belongs to what the form has added, whose page is shown next. */
  function pass(path: string, to: string): void {
    for (const side of sides.value) {
      const tab = side.tabs.find((each) => each.path === path)
      if (tab === undefined) continue
      if (side.tabs.some((each) => each.path === to)) side.tabs = side.tabs.filter((each) => each !== tab)
      else [tab.path, tab.address] = [to, to]
    }
  }

  /** Closes the tabs of a page that does not exist any more; they cannot be reopened. */
  function remove(path: string): void {
    for (const side of sides.value) side.tabs = side.tabs.filter((tab) => tab.path !== path)
  }

  /** Closes a tab; returns the URL to show instead, `/` for an empty side. */
  function close(side: SideNumber, path: string): string {
    const { tabs } = of(side)
    const at = tabs.findIndex((tab) => tab.path === path)
    const [tab] = at < 0 ? [] : tabs.splice(at, 1)
    if (tab !== undefined) closedTabs.value = [{ side, at, tab }, ...closedTabs.value].slice(0, mostShut)
    return (tabs[at] ?? tabs[at - 1] ?? tabs[0])?.address ?? '/'
  }

  /** Reopens the tab that was closed last in its place; returns its side and URL. */
  function reopen(): { side: SideNumber; address: string } | null {
    const [last, ...rest] = closedTabs.value
    if (last === undefined) return null
    closedTabs.value = rest
    const side = split.value ? last.side : 0
    const { tabs } = of(side)
    if (!tabs.some(({ path }) => path === last.tab.path))
      tabs.splice(last.at, 0, { ...last.tab, preview: false })
    return { side, address: last.tab.address }
  }

  /** Moves a tab to a place, on its own side or the other. `to` counts without the tab itself. */
  function move(from: SideNumber, path: string, side: SideNumber, to: number): void {
    const tab = of(from).tabs.find((each) => each.path === path)
    if (tab === undefined) return
    of(from).tabs = of(from).tabs.filter((each) => each !== tab)
    of(side).tabs = of(side).tabs.filter((each) => each.path !== path)
    of(side).tabs.splice(to, 0, { ...tab, preview: false })
  }

  /** Adds a second side, empty. */
  function addSide(): void {
    if (!split.value) sides.value.push(empty())
  }

  /** Merges two sides into one; the tabs of the closing side go to the end of the other. */
  function removeSide(closing: SideNumber): void {
    if (!split.value) return
    const stays = of(closing === 0 ? 1 : 0)
    const fresh = of(closing)
      .tabs.filter(({ path }) => !stays.tabs.some((tab) => tab.path === path))
      .map((tab) => ({ ...tab, preview: false }))
    sides.value = [{ ...stays, tabs: [...stays.tabs, ...fresh] }]
    focused.value = 0
  }

  const resize = (to: number): unknown => (share.value = Math.min(Math.max(to, minShare), maxShare))

  /** Checks which components exist. Of those gone before this window opened, only the shown one keeps its tab. */
  async function look(): Promise<void> {
    const openComponents = all.value.flatMap(({ path }) => {
      const id = idOfAddress(path)
      return id === null ? [] : [{ path, id }]
    })
    const existingIds =
      openComponents.length === 0 ? new Set() : await fetchKnown(openComponents.map(({ id }) => id))
    missingPaths.value = new Set(
      openComponents.filter(({ id }) => !existingIds.has(id)).map(({ path }) => path),
    )
    if (!looked)
      for (const side of sides.value)
        side.tabs = side.tabs.filter(
          ({ path, address }) => address === side.front || !missingPaths.value.has(path),
        )
    looked = true
  }

  return {
    sides,
    focused,
    share,
    shut: closedTabs,
    gone: missingPaths,
    split,
    other,
    all,
    of,
    opened: setFront,
    pin,
    pinAll,
    pass,
    remove,
    close,
    reopen,
    move,
    divide: addSide,
    unite: removeSide,
    resize,
    look,
  }
})
