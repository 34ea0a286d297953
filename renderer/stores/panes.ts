// The pages of the sides. The focused side's URL is the window's; the other keeps its own.
import { defineStore } from 'pinia'
import { shallowReactive } from 'vue'
import {
  loadRouteLocation,
  useRouter,
  type RouteLocationNormalizedLoaded,
  type RouteLocationRaw,
  type Router,
} from 'vue-router'
import { isNavigating } from '../frame/pending-navigation.ts'
import { navigation, sectionPages } from '../frame/navigation.ts'
import { useTabs, type SideNumber } from './tabs.ts'

/** The path of the tab of a URL; null if the URL redirects. */
export function tabPathOf({
  meta,
  path,
}: Pick<RouteLocationNormalizedLoaded, 'meta' | 'path'>): string | null {
  if (meta.tab === false) return null
  const page = navigation.find(({ name }) => name === meta.activity)
  if (page === undefined) return null
  const section = sectionPages.find((each) => path === each.path || path.startsWith(`${each.path}/`))
  if (section !== undefined) return section.hasItemTabs ? path : section.path
  // Components, records and the places of apps have tabs of their own.
  const hasOwn = meta.ownTab === true || ['explorer', 'records', 'apps'].includes(page.name)
  return hasOwn ? path : page.path
}

export const usePanes = defineStore('panes', () => {
  const router = useRouter()
  const tabs = useTabs()
  const locations = shallowReactive<RouteLocationNormalizedLoaded[]>([router.currentRoute.value])

  router.afterEach((to, _from, failure) => {
    if (failure) return
    // Going back leads to the side on which a URL was shown.
    const stateSide = (window.history.state as { side?: unknown } | null)?.side
    const side: SideNumber = (stateSide ?? tabs.focused) === 1 && tabs.split ? 1 : 0
    if (stateSide === undefined) window.history.replaceState({ ...window.history.state, side }, '')
    tabs.focused = side
    take(side, to)
  })

  function take(side: SideNumber, to: RouteLocationNormalizedLoaded): void {
    locations[side] = to
    tabs.opened(side, tabPathOf(to), to.fullPath)
  }

  /** Shows a URL on a side, without moving the focus there. */
  async function show(
    side: SideNumber,
    to: RouteLocationRaw,
    how: 'push' | 'replace' = 'push',
  ): Promise<void> {
    if (side === tabs.focused) {
      // The page's state is in its URL; writing it while the user leaves the page would cancel the navigation.
      if (how === 'push' || !isNavigating(router)) await router[how](withSide(to, side))
      return
    }
    const found = router.resolve(to)
    const loaded = await loadRouteLocation(found)
    if (tabs.split) take(side, loaded)
  }

  function withSide(to: RouteLocationRaw, side: SideNumber): RouteLocationRaw {
    return typeof to === 'string'
      ? { ...pathOf(to), state: { side } }
      : { ...to, state: { ...to.state, side } }
  }
  const pathOf = (to: string) => {
    const { path, query, hash } = router.resolve(to)
    return { path, query, hash }
  }

  /** Focuses a side: the window gets its URL. */
  async function focus(side: SideNumber): Promise<void> {
    const target = locations[side]
    if (side === tabs.focused || target === undefined) return
    tabs.focused = side
    await router.replace(withSide(target.fullPath, side))
  }

  /** Shows a URL on the other side, which is created if needed, and goes there. */
  async function showBeside(to: RouteLocationRaw): Promise<void> {
    tabs.divide()
    const side = tabs.other
    await show(side, to)
    tabs.pin(side, frontOf(side))
    await focus(side)
  }

  /** Shows a URL on the focused side in a tab that stays. */
  async function showPinned(to: RouteLocationRaw): Promise<void> {
    const side = tabs.focused
    await show(side, to)
    tabs.pin(side, tabPathOf(router.resolve(to)))
  }

  /** Also shows the active page on a second side; with two sides, closes the focused one. */
  async function toggle(): Promise<void> {
    if (tabs.split) return closeSide(tabs.focused)
    await showBeside(tabs.of(0).front)
  }

  async function closeSide(side: SideNumber): Promise<void> {
    const stays = locations[side === 0 ? 1 : 0]
    if (!tabs.split || stays === undefined) return
    tabs.unite(side)
    locations.splice(0, 2, stays)
    await router.replace(withSide(stays.fullPath, 0))
  }

  const frontOf = (side: SideNumber): string | null => {
    const there = locations[side]
    return there === undefined ? null : tabPathOf(there)
  }

  /** Closes a tab; with two sides, a side without a tab closes too. */
  async function close(side: SideNumber, path: string): Promise<void> {
    const inFront = frontOf(side) === path
    const next = tabs.close(side, path)
    if (tabs.split && tabs.of(side).tabs.length === 0) return closeSide(side)
    if (inFront) await show(side, next)
  }

  /** Closes the tab of a path on every side. */
  async function closeAll(path: string): Promise<void> {
    for (const side of [1, 0] as const)
      if (tabs.sides[side]?.tabs.some((tab) => tab.path === path)) await close(side, path)
  }

  async function reopen(): Promise<void> {
    const tab = tabs.reopen()
    if (tab === null) return
    await focus(tab.side)
    await show(tab.side, tab.address)
  }

  /** Moves a tab to a place of a side and shows it there. */
  async function move(from: SideNumber, path: string, to: SideNumber, at: number): Promise<void> {
    const tab = tabs.of(from).tabs.find((each) => each.path === path)
    if (tab === undefined) return
    if (to === from) return tabs.move(from, path, to, at)
    const inFront = frontOf(from) === path
    tabs.divide()
    const was = tabs.of(from).tabs.indexOf(tab)
    tabs.move(from, path, to, at)
    const next = tabs.of(from).tabs[was] ?? tabs.of(from).tabs[was - 1]
    if (inFront && next !== undefined) await show(from, next.address)
    await show(to, tab.address)
    await focus(to)
    if (tabs.split && tabs.of(from).tabs.length === 0) await closeSide(tabs.focused === 0 ? 1 : 0)
  }

  /** Moves a tab of the focused side, by default the active one, to the other side. */
  async function moveOver(path = frontOf(tabs.focused)): Promise<void> {
    if (path === null) return
    const many = tabs.sides[tabs.other]?.tabs.length ?? 0
    await move(tabs.focused, path, tabs.other, many)
  }

  /** Steps through the tabs of the focused side, wrapping around at the ends. */
  async function step(by: number): Promise<void> {
    const { tabs: sideTabs } = tabs.of(tabs.focused)
    const at = sideTabs.findIndex(({ path }) => path === frontOf(tabs.focused))
    const next = sideTabs[(at + by + sideTabs.length) % sideTabs.length]
    if (next !== undefined) await show(tabs.focused, next.address)
  }

  /** Moves the active tab by places of its side. */
  async function shift(by: number): Promise<void> {
    const { tabs: sideTabs } = tabs.of(tabs.focused)
    const at = sideTabs.findIndex(({ path }) => path === frontOf(tabs.focused))
    const to = at + by
    if (at >= 0 && to >= 0 && to < sideTabs.length)
      tabs.move(tabs.focused, sideTabs[at]!.path, tabs.focused, to)
  }

  async function closeFront(): Promise<void> {
    const path = frontOf(tabs.focused)
    if (path !== null) await close(tabs.focused, path)
  }

  /** The router for the pages of a side: their navigations stay on that side. */
  function routerOf(side: SideNumber): Router {
    const go = (how: 'push' | 'replace') => async (to: RouteLocationRaw) => void (await show(side, to, how))
    return { ...router, push: go('push'), replace: go('replace') }
  }

  return {
    locations,
    take,
    show,
    focus,
    showBeside,
    showPinned,
    toggle,
    closeSide,
    frontOf,
    close,
    closeAll,
    closeFront,
    reopen,
    move,
    moveOver,
    step,
    shift,
    routerOf,
  }
})
