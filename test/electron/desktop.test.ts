// The desktop process against a fake Electron: start, second instance, crashes, keychain, navigation, permissions, IPC.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { retryLink } from '../../main/decisions/navigation-policy.ts'
import { startDesktop } from '../../main/desktop.ts'
import { fakeElectron, type FakeMachine, type FakeOptions } from './fake-electron.ts'

const origin = 'http://127.0.0.1:4680'
const ourFrame = { url: `${origin}/changes`, parent: null }
let userData: string

beforeEach(() => {
  userData = mkdtempSync(join(tmpdir(), 'desktop-'))
})
afterEach(() => rmSync(userData, { recursive: true, force: true }))

async function started(options: Partial<FakeOptions> = {}): Promise<FakeMachine> {
  const machine = fakeElectron({ userData, ...options })
  await startDesktop(machine.electron, machine.timer, {
    root: '/app',
    preload: '/app/out/preload/preload.cjs',
    serverProcess: '/app/out/main/server-process.js',
    org: '/home/person/sample',
  })
  return machine
}

async function ready(options: Partial<FakeOptions> = {}): Promise<FakeMachine> {
  const machine = await started(options)
  machine.server.becomesReady()
  return machine
}

describe('start', () => {
  it('starts the server, and shows the window by the one-time link once the server is ready', async () => {
    const machine = await started()
    expect(machine.server.heard).toMatchObject([{ kind: 'start', org: '/home/person/sample', root: '/app' }])
    expect(machine.window.visible).toBe(false)
    machine.server.becomesReady()
    expect(machine.window.loaded).toEqual([`${origin}/session?once=abc`])
    expect(machine.window.visible).toBe(true)
  })

  it('gives the page no Node', async () => {
    const machine = await started()
    expect(machine.window.options.webPreferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
    })
  })

  it('believes no message of another shape', async () => {
    const machine = await started()
    machine.server.emit('message', { kind: 'ready', listening: 5 })
    machine.server.emit('message', 'ready')
    expect(machine.window.loaded).toEqual([])
  })

  it('sends the commands of the menu to the page', async () => {
    const machine = await ready()
    machine.choose('review-changes')
    expect(machine.window.webContents.sent).toEqual([{ channel: 'menu/command', value: 'review-changes' }])
  })

  it('opens where it was closed', async () => {
    const first = await ready()
    first.window.bounds = { x: 40, y: 50, width: 1000, height: 700 }
    first.window.close()
    const second = await started()
    expect(second.window.options).toMatchObject({ x: 40, y: 50, width: 1000, height: 700 })
  })

  it('opens in the middle of the screen where its place is damaged or gone', async () => {
    writeFileSync(join(userData, 'window.json'), '{"bounds":')
    expect((await started()).window.options).toMatchObject({ width: 1440, height: 900 })
    const gone = { bounds: { x: 5000, y: 0, width: 1000, height: 700 }, maximized: false }
    writeFileSync(join(userData, 'window.json'), JSON.stringify(gone))
    expect((await started()).window.options).toMatchObject({ x: 460, y: 190, width: 1000, height: 700 })
  })
})

describe('second instance', () => {
  it('leaves at once, without a window or a server', async () => {
    const machine = await started({ hasLock: false })
    expect(machine.app.quits).toBe(1)
    expect(machine.windows).toEqual([])
    expect(machine.servers).toEqual([])
  })

  it('brings the first one to the front', async () => {
    const machine = await ready()
    machine.window.minimized = true
    machine.secondInstance()
    expect(machine.window.minimized).toBe(false)
    expect(machine.window.focused).toBe(1)
  })
})

describe('a server that ends', () => {
  it('is started again, and its new link is opened', async () => {
    const machine = await ready()
    machine.server.crashes()
    expect(machine.servers).toHaveLength(1)
    machine.timer.pass(500)
    expect(machine.servers).toHaveLength(2)
    machine.server.becomesReady(4999)
    expect(machine.window.loaded.at(-1)).toBe('http://127.0.0.1:4999/session?once=abc')
  })

  it('waits longer each time, and gives up with a page that says why', async () => {
    const machine = await ready()
    for (const delay of [500, 1000, 2000, 4000]) {
      machine.server.stderr.write('disk <full>\n')
      machine.server.crashes(7)
      machine.timer.pass(delay - 1)
      const before = machine.servers.length
      machine.timer.pass(1)
      expect(machine.servers.length).toBe(before + 1)
    }
    machine.server.stderr.write('disk <full>\n')
    await new Promise(setImmediate)
    machine.server.crashes(7)
    machine.timer.pass(60_000)
    expect(machine.servers).toHaveLength(5)
    const page = decodeURIComponent(machine.window.loaded.at(-1)!)
    expect(page).toMatch(/^data:text\/html/)
    expect(page).toContain('ended with code 7')
    expect(page).toContain('disk &lt;full&gt;')
  })

  it('is started over by Retry', async () => {
    const machine = await started()
    machine.server.emit('message', { kind: 'failed', reason: 'The org is open elsewhere.' })
    expect(decodeURIComponent(machine.window.loaded.at(-1)!)).toContain('The org is open elsewhere.')
    expect(machine.window.webContents.follows(retryLink)).toBe(false)
    expect(machine.servers).toHaveLength(2)
    machine.server.becomesReady()
    expect(machine.window.loaded.at(-1)).toBe(`${origin}/session?once=abc`)
  })

  it('counts as failed where it does not get ready in time', async () => {
    const machine = await started()
    machine.timer.pass(60_000)
    expect(machine.server.killed).toBe(true)
  })

  it('is ended before the application goes', async () => {
    const machine = await ready()
    machine.app.quit()
    expect(machine.app.quits).toBe(0)
    expect(machine.server.killed).toBe(true)
    await new Promise(setImmediate)
    expect(machine.app.quits).toBe(1)
    expect(machine.servers).toHaveLength(1)
  })

  it('does not hold the application back for ever', async () => {
    const machine = await ready({ stubbornServer: true })
    machine.app.quit()
    machine.timer.pass(10_000)
    await new Promise(setImmediate)
    expect(machine.app.quits).toBe(1)
  })
})

describe.runIf(process.platform === 'linux')('keychain', () => {
  const file = () => join(userData, 'vault-key.json')
  const keyOf = (machine: FakeMachine) => (machine.server.heard[0] as { vaultKey: string | null }).vaultKey

  it('keeps one key, sealed, from start to start', async () => {
    const key = keyOf(await started())
    expect(Buffer.from(key!, 'base64')).toHaveLength(32)
    expect(readFileSync(file(), 'utf8')).not.toContain(key)
    expect(keyOf(await started())).toBe(key)
  })

  it.each([
    ['there is none', { available: false, backend: 'unknown' }],
    ['it only scrambles', { available: true, backend: 'basic_text' }],
  ])('stores nothing where %s, and says so', async (_case, keychain) => {
    const machine = await ready({ keychain })
    expect(keyOf(machine)).toBeNull()
    expect(existsSync(file())).toBe(false)
    expect(await machine.invoke('keychain/status', undefined, ourFrame)).toMatchObject({
      kept: false,
      reason: expect.stringContaining('Secret Service'),
    })
  })

  it('does not replace a damaged key in silence', async () => {
    writeFileSync(file(), '{}')
    const machine = await started()
    expect(machine.servers).toEqual([])
    expect(decodeURIComponent(machine.window.loaded.at(-1)!)).toContain('is damaged')
    expect(readFileSync(file(), 'utf8')).toBe('{}')
  })
})

describe('navigation', () => {
  it('stays on our origin', async () => {
    const machine = await ready()
    expect(machine.window.webContents.follows(`${origin}/changes`)).toBe(true)
    expect(machine.browser).toEqual([])
  })

  it.each(['will-frame-navigate', 'will-redirect'] as const)(
    'gives a web link to the browser (%s)',
    async (by) => {
      const machine = await ready()
      expect(machine.window.webContents.follows('https://example.org/rates', by)).toBe(false)
      expect(machine.browser).toEqual(['https://example.org/rates'])
    },
  )

  it.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'smb://host/share',
    'https://user:word@example.org/',
    retryLink,
  ])('refuses %s', async (url) => {
    const machine = await ready()
    expect(machine.window.webContents.follows(url)).toBe(false)
    expect(machine.window.webContents.opens(url)).toBe(false)
    expect(machine.browser).toEqual([])
  })

  it('opens no second window and no webview', async () => {
    const machine = await ready()
    expect(machine.window.webContents.opens(`${origin}/changes`)).toBe(false)
    expect(machine.window.webContents.opens('https://example.org/')).toBe(false)
    expect(machine.browser).toEqual(['https://example.org/'])
    expect(machine.window.webContents.attachesWebview()).toBe(false)
  })
})

describe('permissions', () => {
  it.each([
    ['clipboard-sanitized-write', `${origin}/`, true],
    ['fullscreen', `${origin}/`, true],
    ['clipboard-sanitized-write', 'http://127.0.0.1:9999/', false],
    ['clipboard-read', `${origin}/`, false],
    ['geolocation', `${origin}/`, false],
    ['media', `${origin}/`, false],
    ['notifications', `${origin}/`, false],
    ['openExternal', `${origin}/`, false],
  ])('%s asked by %s: %s', async (permission, url, granted) => {
    expect((await ready()).asks(permission, url)).toBe(granted)
  })

  it('denies all while the server is down, and every device always', async () => {
    expect((await started()).asks('fullscreen', `${origin}/`)).toBe(false)
    expect((await ready()).asksForDevice()).toBe(false)
  })
})

describe('IPC', () => {
  it('answers our own page', async () => {
    const machine = await ready()
    expect(await machine.invoke('desktop/about', undefined, ourFrame)).toMatchObject({ version: '0.1.0' })
    expect(await machine.invoke('link/open', { url: 'https://example.org/' }, ourFrame)).toBe(true)
    expect(await machine.invoke('link/open', { url: 'file:///etc/passwd' }, ourFrame)).toBe(false)
    expect(machine.browser).toEqual(['https://example.org/'])
  })

  it.each([
    ['of another origin', { url: 'https://example.org/', parent: null }],
    ['on another port', { url: 'http://127.0.0.1:4681/', parent: null }],
    ['inside our page', { url: `${origin}/`, parent: {} }],
    ['of the failure page', { url: 'data:text/html,x', parent: null }],
    ['that has gone', null],
  ])('refuses a frame %s', async (_case, frame) => {
    const machine = await ready()
    await expect(machine.invoke('link/open', { url: 'https://example.org/' }, frame)).rejects.toThrow(
      /own page only/,
    )
    expect(machine.browser).toEqual([])
  })
})
