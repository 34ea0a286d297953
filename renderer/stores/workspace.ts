// The state in which the studio was left, restored when it opens: from this window's own store first, then from what
// this machine could not send, then from the server.
import { defineStore } from 'pinia'
import { ref, toRaw, watch } from 'vue'
import { useRouter } from 'vue-router'
import { ApiError } from '../api/request.ts'
import { fetchWorkspace, saveWorkspace, type Workspace, type WorkspaceView } from '../api/workspace.ts'
import { isNavigating } from '../frame/pending-navigation.ts'
import { useDock } from './dock.ts'
import { useExplorer } from './explorer.ts'
import { useLive } from './live.ts'
import { useOrg } from './org.ts'
import { tabPathOf, usePanes } from './panes.ts'
import { usePlaces } from './places.ts'
import { useTabs, type SideNumber } from './tabs.ts'

interface StoredWorkspace {
  user: string
  org: string
  /** Whether the server does not have it yet. */
  unsent: boolean
  workspace: Workspace
}

interface ShownState {
  /** From this machine, which other users use too; null if it has none. */
  stored: Workspace | null
  /** Before the user changed anything, as JSON. */
  opened: string
  /** Before anything was restored. */
  blank: Workspace
  /** The page to which it led; null if the user was on a page. */
  page: string | null
}

const memory = 'almanac.workspace'
const pause = 400
const patience = 1500
const mostTabs = 100
const longest = 2000

export const useWorkspace = defineStore('workspace', () => {
  const router = useRouter()
  const tabs = useTabs()
  const panes = usePanes()
  const dock = useDock()
  const explorer = useExplorer()
  const places = usePlaces()
  const live = useLive()
  const org = useOrg()
  const ready = ref(false)
  /** The page that was active when the studio was left, until it is shown again: it gets the focus back. */
  const returning = ref<string | null>(null)
  let who: { user: string; org: string } = { user: '', org: '' }
  let unsent = false
  let timer = 0
  /**
   * What is shown while the server has not reported whose studio this is; null once it has. Until then, nothing is sent: an
   * empty studio, or the tabs of a different user, would replace what was left.
   */
  let unconfirmed: ShownState | null = null

  function now(): Workspace {
    const fits = (address: string): boolean => address.length <= longest
    return {
      sides: tabs.sides.map((side) => ({
        tabs: side.tabs
          .map(({ address }) => address)
          .filter(fits)
          .slice(0, mostTabs),
        front: fits(side.front) ? side.front : '/',
        preview: side.tabs.find(({ preview, address }) => preview && fits(address))?.address,
      })),
      focused: tabs.focused,
      share: tabs.share,
      // Uploads end with the window.
      dock: {
        panel: dock.panel === 'uploads' ? 'problems' : dock.panel,
        height: dock.height,
        open: dock.prefersOpen,
      },
      explorer: { by: explorer.by, open: toRaw(explorer.open) },
      places: toRaw(places.places),
    }
  }

  async function restore(): Promise<void> {
    const blank = now()
    let failed: unknown
    const request = fetchWorkspace().catch((error: unknown) => {
      failed = error
      return null
    })
    const serverState = await Promise.race([request, later(patience)])
    const storedStates = [readStored(sessionStorage), readStored(localStorage)]
    if (isUnauthorized(failed)) return void whenSignedIn()
    const { user, org: lineage } = serverState ?? storedStates[0] ?? storedStates[1] ?? who
    who = { user, org: lineage }
    const mine = storedStates.map((each) =>
      serverState === null || (each?.user === serverState.user && each.org === serverState.org) ? each : null,
    )
    const unsentHere = serverState === null || mine[1]?.unsent ? mine[1] : null
    let workspace = mine[0]?.workspace ?? unsentHere?.workspace ?? serverState?.workspace ?? null
    await router.isReady()
    const before = router.currentRoute.value.fullPath
    if (workspace !== null) await take(workspace)
    ready.value = true
    if (serverState === null) {
      const here = router.currentRoute.value.fullPath
      const page = here === before ? null : here
      unconfirmed = { stored: workspace, opened: JSON.stringify(now()), blank, page }
      const late = await request
      if (isUnauthorized(failed)) return void whenSignedIn()
      if (late !== null) workspace = await confirm(late, unconfirmed)
    }
    watch(now, saveLater, { deep: true })
    // Pages that were opened only by their URL are part of it too.
    if (JSON.stringify(now()) !== JSON.stringify(workspace)) saveLater()
    live.onReconnect(() => void send())
    window.addEventListener('pagehide', () => void send(true))
  }

  /**
   * What the user has opened in the meantime stays, unless it is beside the tabs of a different user. Returns what was
   * restored and is shown.
   */
  async function confirm(
    late: WorkspaceView,
    { stored, opened, blank, page }: ShownState,
  ): Promise<Workspace | null> {
    const isOwn = stored !== null && late.user === who.user && late.org === who.org
    who = { user: late.user, org: late.org }
    unconfirmed = null
    if (isOwn) return stored
    if (stored === null && (late.workspace === null || JSON.stringify(now()) !== opened)) return null
    if (router.currentRoute.value.fullPath === page) await router.replace('/')
    await take(late.workspace ?? blank)
    return late.workspace
  }

  /** Before that, it is not known which user the tabs belong to. */
  function whenSignedIn(): void {
    const stop = watch(
      () => org.org,
      (there) => {
        if (there === null) return
        stop()
        void restore()
      },
    )
  }

  async function take(workspace: Workspace): Promise<void> {
    dock.panel = workspace.dock.panel
    dock.resize(workspace.dock.height)
    dock.prefersOpen = workspace.dock.open
    explorer.by = workspace.explorer.by
    explorer.open = [...workspace.explorer.open]
    places.places = [...workspace.places]
    tabs.resize(workspace.share)
    const sides = workspace.sides.map(({ tabs: addresses, front, preview }) => ({
      // A page that does not exist, or that has no tab, is not opened again.
      front: tabPathOf(router.resolve(front)) === null ? '/' : front,
      tabs: addresses.flatMap((address) => {
        const path = tabPathOf(router.resolve(address))
        return path === null ? [] : [{ path, address, preview: address === preview }]
      }),
    }))
    if (sides[0] === undefined) return
    const here = router.currentRoute.value
    tabs.sides = sides
    tabs.focused = sides[workspace.focused] === undefined ? 0 : workspace.focused
    const path = tabPathOf(here)
    const has = (side: SideNumber): boolean => sides[side]?.tabs.some((tab) => tab.path === path) ?? false
    if (tabs.split && has(tabs.other) && !has(tabs.focused)) tabs.focused = tabs.other
    const frontAddress = sides[tabs.focused]!.front
    panes.locations[tabs.focused] = here
    if (tabs.split) await panes.show(tabs.other, sides[tabs.other]!.front)
    // In the meantime the user may have gone to another page, or be on the way there.
    const now = router.currentRoute.value
    const isHome = now.fullPath === '/' && !isNavigating(router)
    if (isHome && frontAddress !== '/') await router.replace(locationOf(frontAddress))
    else panes.take(tabs.focused, now)
    returning.value = tabPathOf(router.currentRoute.value)
  }
  const locationOf = (address: string) => {
    const { path, query, hash } = router.resolve(address)
    return { path, query, hash, state: { side: tabs.focused } }
  }

  function saveLater(): void {
    unsent = true
    remember()
    window.clearTimeout(timer)
    timer = window.setTimeout(() => void send(), pause)
  }

  async function send(keepalive = false): Promise<void> {
    window.clearTimeout(timer)
    if (!unsent || (unconfirmed !== null && keepalive)) return
    unsent = false
    try {
      if (unconfirmed !== null) {
        const late = await fetchWorkspace()
        if (unconfirmed !== null) await confirm(late, unconfirmed)
      }
      await saveWorkspace(now(), keepalive)
    } catch {
      // This machine has stored it; it is sent with the next change, or when the server is back.
      unsent = true
    }
    remember()
  }

  function remember(): void {
    const text = JSON.stringify({ ...who, unsent, workspace: now() } satisfies StoredWorkspace)
    for (const store of [sessionStorage, localStorage])
      try {
        store.setItem(memory, text)
      } catch {
        // If the store is full, only the second copy is lost; the server has the first.
      }
  }

  return { ready, returning, restore }
})

const isUnauthorized = (error: unknown): boolean => error instanceof ApiError && error.status === 401

function readStored(store: Storage): StoredWorkspace | null {
  try {
    return JSON.parse(store.getItem(memory) ?? 'null') as StoredWorkspace | null
  } catch {
    return null
  }
}

const later = (ms: number): Promise<null> => new Promise((done) => window.setTimeout(() => done(null), ms))
