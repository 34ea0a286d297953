import { createPinia } from 'pinia'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createApp } from 'vue'
import { createMemoryHistory, createRouter, type Router } from 'vue-router'
import type { Workspace } from '../api/workspace.ts'
import { trackNavigations } from '../frame/pending-navigation.ts'
import { useTabs } from './tabs.ts'
import { useWorkspace } from './workspace.ts'

const page = { render: () => null }

function createWorkspace(sides: Pick<Workspace['sides'][number], 'front' | 'tabs'>[]): Workspace {
  return {
    ...{ sides, focused: 0, share: 50, places: [] },
    dock: { panel: 'problems', height: 104, open: true },
    explorer: { by: 'type', open: [] },
  }
}

/** A studio that was left like that, while `/` is shown; `load` loads the page of `/time`. */
async function openStudio(workspace: Workspace | Promise<Workspace>, load = () => Promise.resolve(page)) {
  const methods: (string | undefined)[] = []
  const saved: Workspace[] = []
  let refused = 0
  vi.stubGlobal('fetch', async (_path: string, { method, body }: RequestInit) => {
    methods.push(method)
    if (refused-- > 0) return new Response('{"code":"org.busy"}', { status: 503 })
    if (typeof body === 'string') saved.push(JSON.parse(body) as Workspace)
    return new Response(JSON.stringify({ user: 'me', org: 'ours', workspace: await workspace }))
  })
  const router = createRouter({
    history: createMemoryHistory(),
    routes: [
      { path: '/', component: page, meta: { activity: 'explorer', tab: false } },
      { path: '/changes', component: page, meta: { activity: 'changes' } },
      { path: '/time', component: load, meta: { activity: 'time' } },
      { path: '/new/:type', component: page, meta: { activity: 'explorer', tab: false } },
      { path: '/:rest(.*)*', component: page, meta: { activity: 'explorer', tab: false } },
    ],
  })
  trackNavigations(router)
  const pinia = createPinia()
  const app = createApp(page).use(pinia).use(router)
  await router.push('/')
  return app.runWithContext(() => {
    const refuse = (count: number): unknown => (refused = count)
    return { router, tabs: useTabs(pinia), workspace: useWorkspace(pinia), methods, saved, refuse }
  })
}
const pathOf = (router: Router): string => router.currentRoute.value.fullPath

beforeEach(() => {
  const none = { getItem: () => null, setItem: () => undefined }
  vi.stubGlobal('sessionStorage', none)
  vi.stubGlobal('localStorage', none)
  vi.stubGlobal('window', {
    ...{ history: globalThis.history ?? { state: null, replaceState: () => undefined } },
    // What is saved later is not tested here.
    ...{ setTimeout: () => 0, clearTimeout: () => undefined, addEventListener: () => undefined },
    matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
  })
})
afterEach(() => vi.unstubAllGlobals())

it('`/` opens the page that was active', async () => {
  const { router, workspace } = await openStudio(createWorkspace([{ front: '/changes', tabs: ['/changes'] }]))
  await workspace.restore()
  expect(pathOf(router)).toBe('/changes')
})

it.each(['/no/such/page', '/new/config_set'])('`/` stays at Home if %s was active', async (front) => {
  const left = createWorkspace([{ front, tabs: ['/changes'] }])
  const { router, tabs, workspace } = await openStudio(left)
  await workspace.restore()
  expect([pathOf(router), tabs.all.map(({ path }) => path)]).toEqual(['/', ['/changes']])
})

it('a page that the user is on the way to is not replaced', async () => {
  const loaded = Promise.withResolvers<typeof page>()
  const left = createWorkspace([{ front: '/changes', tabs: ['/changes'] }])
  const { router, workspace } = await openStudio(left, () => loaded.promise)
  const going = router.push('/time')
  await workspace.restore()
  loaded.resolve(page)
  await going
  expect(pathOf(router)).toBe('/time')
})

it('a page that the user went to while the other pane was loading is not replaced', async () => {
  const loaded = Promise.withResolvers<typeof page>()
  const load = vi.fn(() => loaded.promise)
  const savedWorkspace = createWorkspace([
    { front: '/changes', tabs: ['/changes'] },
    { front: '/time', tabs: ['/time'] },
  ])
  const { router, tabs, workspace } = await openStudio(savedWorkspace, load)
  const restored = workspace.restore()
  await vi.waitFor(() => expect(load).toHaveBeenCalled())
  await router.push('/changes?q=typed')
  loaded.resolve(page)
  await restored
  expect([pathOf(router), tabs.of(0).front]).toEqual(['/changes?q=typed', '/changes?q=typed'])
})

it('a workspace that a slow server sends late is taken, and is not replaced by an empty one before', async () => {
  const left = Promise.withResolvers<Workspace>()
  const { router, tabs, workspace, methods } = await openStudio(left.promise)
  // No time is left for the server, and what is saved later is saved at once.
  vi.stubGlobal('window', { ...window, setTimeout: (work: () => void) => (work(), 0) })
  const restored = workspace.restore()
  await vi.waitFor(() => expect(workspace.ready).toBe(true))
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect([tabs.all, methods]).toEqual([[], ['GET']])
  left.resolve(createWorkspace([{ front: '/changes', tabs: ['/changes'] }]))
  await restored
  expect([pathOf(router), tabs.all.map(({ path }) => path)]).toEqual(['/changes', ['/changes']])
})

/** What the other user of this machine has left in its store. */
function leaveBehind(workspace: Workspace): void {
  const left = JSON.stringify({ user: 'other', org: 'ours', unsent: true, workspace })
  vi.stubGlobal('localStorage', { getItem: () => left, setItem: () => undefined })
}
const onChanges = createWorkspace([{ front: '/changes', tabs: ['/changes'] }])
const onTime = createWorkspace([{ front: '/time', tabs: ['/time'] }])
const pause = (ms = 20): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

it('the tabs of a different user of this machine are neither kept nor saved once a slow server responds', async () => {
  leaveBehind(onTime)
  const left = Promise.withResolvers<Workspace>()
  const { tabs, workspace, methods } = await openStudio(left.promise)
  vi.stubGlobal('window', { ...window, setTimeout: (work: () => void) => (work(), 0) })
  const restored = workspace.restore()
  await vi.waitFor(() => expect(workspace.ready).toBe(true))
  tabs.sides[0]!.tabs.push({ path: '/changes', address: '/changes', preview: false })
  await pause()
  expect(methods).toEqual(['GET'])
  left.resolve(onChanges)
  await restored
  expect(tabs.all.map(({ path }) => path)).toEqual(['/changes'])
})

it('an empty studio does not replace what was left when the server was busy', async () => {
  const { tabs, workspace, saved, refuse } = await openStudio(onChanges)
  refuse(1)
  vi.stubGlobal('window', {
    ...window,
    setTimeout: (work: () => void, ms: number) => setTimeout(work, ms / 100),
  })
  await workspace.restore()
  await vi.waitFor(() => expect(tabs.all.map(({ path }) => path)).toEqual(['/changes']))
  await pause()
  expect(saved.map(({ sides }) => sides[0]!.tabs)).not.toContainEqual([])
})
