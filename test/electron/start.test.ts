// Starting the desktop: the server, the first window, and what a second start passes on.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { origin, person, ready, sample, serves, started } from './machine.ts'
import { settled } from './fake-electron.ts'

const memory = () => join(person.data, 'desktop.json')

describe('start', () => {
  it('starts the server, shows that, and opens the studio by the one-time link once it is ready', async () => {
    const machine = await started()
    expect(machine.server.heard).toMatchObject([
      { kind: 'start', org: sample, sample: true, root: '/app', port: null },
    ])
    expect(machine.window.visible).toBe(true)
    expect(machine.window.shown).toContain('Opening sample')
    await serves(machine)
    expect(machine.window.loaded.slice(1)).toEqual([`${origin}/session?once=abc`])
    expect(machine.window.shown).toBe(`${origin}/`)
  })

  it('gives the page no Node', async () => {
    const machine = await started()
    expect(machine.window.options.webPreferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      webviewTag: false,
    })
  })

  it('ignores messages of a different shape', async () => {
    const machine = await started()
    for (const message of [{ kind: 'ready', listening: 5 }, 'ready', null, { kind: 'ready', open: origin }])
      machine.server.emit('message', message)
    await settled()
    expect(machine.window.loaded).toHaveLength(1)
  })

  it("keeps the port of an org, because a page's storage belongs to its origin", async () => {
    await ready({ port: 4711 })
    expect((await started()).server.heard).toMatchObject([{ port: 4711 }])
    // Another program uses the port this time: the next start tries the usual one again.
    await ready({ port: 5000 })
    expect((await started()).server.heard).toMatchObject([{ port: 4711 }])
    expect((await started({ wish: { org: '/home/person/other' } })).server.heard).toMatchObject([
      { org: '/home/person/other', sample: false, port: null },
    ])
  })

  it.each(['', '{"org":', '[]', '{"org":7,"ports":{"/home/person/sample":"x"}}'])(
    'starts as the first time if its memory contains %j',
    async (content) => {
      writeFileSync(memory(), content)
      expect((await started()).server.heard).toMatchObject([{ org: sample, port: null }])
    },
  )

  it('opens the URL that a link names', async () => {
    const machine = await ready({ wish: { address: '/changes' } })
    expect(machine.window.loaded.slice(1)).toEqual([`${origin}/session?once=abc`, `${origin}/changes`])
  })
})

describe('second start', () => {
  it('passes on its arguments and exits, without a window or a server', async () => {
    const machine = await started({ hasLock: false, wish: { org: '/home/person/o', address: '/audit' } })
    expect(machine.app.handed).toEqual({ org: '/home/person/o', address: '/audit' })
    expect(machine.app.quits).toBe(1)
    expect(machine.windows).toEqual([])
    expect(machine.servers).toEqual([])
  })

  it('brings the first window to the front', async () => {
    const machine = await ready()
    machine.window.minimized = true
    await machine.secondInstance()
    expect(machine.window.minimized).toBe(false)
    expect(machine.window.focused).toBe(1)
    expect(machine.windows).toHaveLength(1)
  })

  it('opens the URL that it names, without loading the page again', async () => {
    const machine = await ready()
    const loads = machine.window.loaded.length
    await machine.secondInstance({ org: null, address: '/c/config_set/vat_rate' })
    expect(machine.window.webContents.sent).toEqual([
      { channel: 'studio/go', value: '/c/config_set/vat_rate' },
    ])
    expect(machine.window.loaded).toHaveLength(loads)
  })

  it('keeps the URL until the server is ready', async () => {
    const machine = await started()
    await machine.secondInstance({ address: '/audit' })
    await serves(machine)
    expect(machine.window.loaded.at(-1)).toBe(`${origin}/audit`)
  })

  it.each([
    undefined,
    'audit',
    { address: 'https://example.org/' },
    { address: '//example.org/' },
    { org: 7, address: 7 },
  ])('ignores everything else in the passed arguments: %j', async (handed) => {
    const machine = await ready()
    await machine.secondInstance(handed)
    expect(machine.window.webContents.sent).toEqual([])
    expect(machine.dialogs).toEqual([])
    expect(machine.window.focused).toBe(1)
  })

  it('opens another org if the user agrees', async () => {
    const machine = await ready()
    machine.window.webContents.goes(`${origin}/changes`)
    machine.clicks('Open it')
    await machine.secondInstance({ org: '/home/person/other', address: null })
    expect(machine.dialogs[0]!.message).toBe('Open other instead of sample?')
    expect(machine.servers).toHaveLength(2)
    expect((machine.servers[0] as typeof machine.server).stopped).toBe(true)
    expect(machine.server.heard).toMatchObject([{ org: '/home/person/other', sample: false, port: null }])
    expect(machine.window.shown).toContain('Opening other')
    await serves(machine, 4999)
    // The URL belonged to the previous org.
    expect(machine.window.loaded.at(-1)).toBe('http://127.0.0.1:4999/session?once=abc')
    expect((await started()).server.heard).toMatchObject([{ org: '/home/person/other' }])
  })

  it('opens another org in every window at its first page', async () => {
    const machine = await ready()
    machine.choose('new-window')
    await settled()
    for (const { webContents } of machine.windows) webContents.goes(`${origin}/changes`)
    machine.clicks('Open it')
    await machine.secondInstance({ org: '/home/person/other', address: '/audit' })
    await serves(machine, 4999)
    expect(machine.windows.map(({ shown }) => shown).sort()).toEqual([
      'http://127.0.0.1:4999/',
      'http://127.0.0.1:4999/audit',
    ])
  })

  it('keeps the org open if the user declines', async () => {
    const machine = await ready()
    machine.clicks('Stay here')
    await machine.secondInstance({ org: '/home/person/other', address: '/audit' })
    expect(machine.servers).toHaveLength(1)
    expect(machine.server.stopped).toBe(false)
  })
})

describe('an almanac:// link on a Mac', () => {
  it('is opened in the window, even if it started the application', async () => {
    const machine = await ready()
    const event = { preventDefault: () => {} }
    machine.app.emit('open-url', event, 'almanac://studio/audit')
    machine.app.emit('open-url', event, 'almanac://elsewhere/audit')
    expect(machine.window.webContents.sent).toEqual([{ channel: 'studio/go', value: '/audit' }])
  })
})

describe('quitting', () => {
  it('waits for the server to end', async () => {
    const machine = await ready()
    machine.app.quit()
    expect(machine.app.quits).toBe(0)
    expect(machine.server.stopped).toBe(true)
    await settled()
    expect(machine.app.quits).toBe(1)
    expect(machine.servers).toHaveLength(1)
    expect(machine.server.killed).toBe(false)
  })

  it('does not wait indefinitely for a server that does not end', async () => {
    const machine = await ready({ stubbornServer: true })
    machine.app.quit()
    await machine.timer.pass(10_000)
    expect(machine.server.killed).toBe(true)
    expect(machine.app.quits).toBe(1)
  })

  it('follows the last window, but not on a Mac, where the next window opens the studio again', async () => {
    const machine = await ready()
    machine.window.close()
    machine.app.emit('window-all-closed')
    await settled()
    expect(machine.app.quits).toBe(1)

    const mac = await ready({ platform: 'darwin' })
    mac.window.close()
    mac.app.emit('window-all-closed')
    expect(mac.app.quits).toBe(0)
    mac.app.emit('activate')
    await settled()
    expect(mac.windows).toHaveLength(2)
    // The link works once; the cookie is set.
    expect(mac.window.loaded).toEqual([`${origin}/`])
  })

  it('keeps the memory file readable by its owner only', async () => {
    await ready()
    expect(existsSync(memory())).toBe(true)
    expect(JSON.parse(readFileSync(memory(), 'utf8'))).toEqual({ org: sample, ports: { [sample]: 4680 } })
  })
})
