// What a page can reach: its own origin, and nothing on the machine. Only our own page gets responses.
import { describe, expect, it } from 'vitest'
import { statusLink } from '../../main/decisions/status-actions.ts'
import { settled } from './fake-electron.ts'
import { origin, ourFrame, ready, started } from './machine.ts'

describe('navigation', () => {
  it('stays on our origin', async () => {
    const machine = await ready()
    expect(machine.window.webContents.follows(`${origin}/changes`)).toBe(true)
    expect(machine.browser).toEqual([])
  })

  it.each(['will-frame-navigate', 'will-redirect'] as const)(
    'opens a safe link in the browser (%s)',
    async (by) => {
      const machine = await ready()
      expect(machine.window.webContents.follows('https://example.org/rates', by)).toBe(false)
      expect(machine.window.webContents.follows('mailto:rates@example.org', by)).toBe(false)
      expect(machine.browser).toEqual(['https://example.org/rates', 'mailto:rates@example.org'])
    },
  )

  it.each([
    'http://example.org/',
    'http://127.0.0.1:4681/',
    'http://127.0.0.1:4680.example.org/',
    'http://localhost:4680/',
    'https://127.0.0.1:4680@example.org/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'smb://host/share',
    'ms-msdt:/id',
    'almanac://studio/changes',
    'data:text/html,x',
    `blob:${origin}/0b6a`,
    `filesystem:${origin}/temporary/x`,
    'https://user:word@example.org/',
    'no address',
    statusLink('quit'),
  ])('refuses %s', async (url) => {
    const machine = await ready()
    expect(machine.window.webContents.follows(url)).toBe(false)
    expect(machine.window.webContents.follows(url, 'will-redirect')).toBe(false)
    expect(machine.window.webContents.opens(url)).toBe(false)
    await settled()
    expect(machine.browser).toEqual([])
    expect(machine.app.quits).toBe(0)
  })

  it('leaves a status page only by its buttons', async () => {
    const machine = await started()
    expect(machine.window.webContents.follows(`${origin}/`)).toBe(false)
    expect(machine.window.webContents.follows('http://127.0.0.1:4680/')).toBe(false)
    machine.window.webContents.follows(statusLink('quit'))
    await settled()
    expect(machine.app.quits).toBe(1)
  })

  it('opens the consent page of another system in the browser of the user', async () => {
    const machine = await ready()
    const page = `${origin}/oauth2/consent?ticket=t`
    expect(machine.window.webContents.opens(page)).toBe(false)
    expect(machine.window.webContents.follows(page)).toBe(false)
    expect(machine.window.webContents.opens(`${origin}/oauth2/consent/other`)).toBe(false)
    expect(machine.browser).toEqual([page, page])
  })

  it('opens no second window and no webview', async () => {
    const machine = await ready()
    expect(machine.window.webContents.opens(`${origin}/changes`)).toBe(false)
    expect(machine.window.webContents.opens('about:blank')).toBe(false)
    expect(machine.window.webContents.opens('https://example.org/')).toBe(false)
    expect(machine.browser).toEqual(['https://example.org/'])
    expect(machine.window.webContents.attachesWebview()).toBe(false)
  })

  it('reports that a link cannot be opened', async () => {
    const machine = await ready()
    machine.window.webContents.opens('mailto:nobody@example.org')
    await settled()
    expect(machine.errors).toEqual([
      'The link could not be opened: No program on this machine can open mailto:nobody@example.org.',
    ])
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
    ['hid', `${origin}/`, false],
    ['usb', `${origin}/`, false],
    ['fileSystem', `${origin}/`, false],
    ['display-capture', `${origin}/`, false],
    ['a-permission-of-next-year', `${origin}/`, false],
  ])('%s for %s: %s', async (permission, url, granted) => {
    expect((await ready()).asks(permission, url)).toEqual({ requested: granted, checked: granted })
  })

  it('denies everything while the server is down, and always denies devices and screens', async () => {
    expect((await started()).asks('fullscreen', `${origin}/`)).toEqual({ requested: false, checked: false })
    const machine = await ready()
    expect(machine.asksForDevice()).toBe(false)
    expect(machine.asksForScreen()).toBe(false)
  })
})

describe('IPC', () => {
  it('responds to our own page', async () => {
    const machine = await ready()
    expect(await machine.invoke('desktop/about', undefined, ourFrame)).toMatchObject({
      version: '0.1.0',
      platform: 'linux',
    })
  })

  it.each([
    ['of another origin', { url: 'https://example.org/', parent: null }],
    ['on another port', { url: 'http://127.0.0.1:4681/', parent: null }],
    ['inside our page', { url: `${origin}/`, parent: {} }],
    ['made by a script of our page', { url: `blob:${origin}/0b6a`, parent: null }],
    ['of a status page', { url: 'data:text/html,x', parent: null }],
    ['that has gone', null],
  ])('refuses a frame %s', async (_case, frame) => {
    const machine = await ready()
    for (const [channel, ask] of [
      ['desktop/about', undefined],
      ['keychain/status', undefined],
      ['keychain/choose-file', undefined],
      ['menu/unavailable', { commands: ['keep'] }],
    ] as const)
      await expect(machine.invoke(channel, ask, frame)).rejects.toThrow(/own page only/)
    expect(machine.dialogs).toEqual([])
    expect(machine.item('keep').enabled).toBe(true)
  })

  it('refuses every page while the server is down', async () => {
    const machine = await ready()
    machine.server.crashes()
    await expect(machine.invoke('desktop/about', undefined, ourFrame)).rejects.toThrow(/own page only/)
  })

  it.each([
    ['menu/unavailable', undefined],
    ['menu/unavailable', { commands: ['rm -rf'] }],
    ['menu/unavailable', { commands: 'keep' }],
    ['menu/unavailable', { commands: ['keep'], more: 1 }],
    ['menu/unavailable', { commands: Array.from({ length: 9000 }, () => 'keep') }],
    ['desktop/about', { version: 1 }],
  ])('refuses %s with %j', async (channel, ask) => {
    const machine = await ready()
    await expect(machine.invoke(channel, ask, ourFrame)).rejects.toThrow(/do not match the IPC map/)
  })
})
