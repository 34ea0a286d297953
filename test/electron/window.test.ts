// Windows open as they were closed, and more windows next to the active one.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { settled } from './fake-electron.ts'
import { origin, person, ready, serves, started } from './machine.ts'

const stateFile = () => join(person.data, 'window.json')
const saved = () => JSON.parse(readFileSync(stateFile(), 'utf8')) as Record<string, unknown>

describe('a window', () => {
  it('opens as it was closed: place, size, zoom and URL', async () => {
    const first = await ready()
    first.window.bounds = { x: 40, y: 50, width: 1000, height: 700 }
    first.window.webContents.zoom = 1.5
    first.window.webContents.goes(`${origin}/c/config_set/vat_rate`)
    first.window.close()
    const second = await ready()
    expect(second.window.options).toMatchObject({ x: 40, y: 50, width: 1000, height: 700 })
    expect(second.window.webContents.zoom).toBe(1.5)
    expect(second.window.loaded.at(-1)).toBe(`${origin}/c/config_set/vat_rate`)
  })

  it('opens maximised on its screen', async () => {
    const first = await ready()
    first.window.maximize()
    first.window.close()
    expect((await started()).window.maximized).toBe(true)
  })

  it('is remembered without being closed, because a machine can stop at any moment', async () => {
    const machine = await ready()
    machine.window.webContents.goes(`${origin}/audit`)
    await machine.timer.pass(500)
    expect(saved()).toMatchObject({ address: '/audit' })
    machine.window.placed({ x: 1, y: 2, width: 950, height: 650 })
    await machine.timer.pass(500)
    expect(saved()).toEqual({
      bounds: { x: 1, y: 2, width: 950, height: 650 },
      maximized: false,
      zoom: 0,
      address: '/audit',
    })
  })

  it('opens in the middle of the screen if its position is damaged or outside', async () => {
    writeFileSync(stateFile(), '{"bounds":')
    expect((await started()).window.options).toMatchObject({ width: 1440, height: 900 })
    const gone = { bounds: { x: 5000, y: 0, width: 1000, height: 700 }, maximized: false }
    writeFileSync(stateFile(), JSON.stringify(gone))
    expect((await started()).window.options).toMatchObject({ x: 460, y: 190, width: 1000, height: 700 })
  })

  it('keeps its URL and zoom while it shows why the studio is not available', async () => {
    const machine = await ready()
    machine.window.webContents.zoom = 2
    machine.window.webContents.goes(`${origin}/audit`)
    await machine.timer.pass(500)
    machine.server.crashes()
    await machine.timer.pass(500)
    machine.server.emit('message', { kind: 'failed', reason: 'It cannot.' })
    await settled()
    machine.window.webContents.zoom = 0
    machine.window.close()
    expect(saved()).toMatchObject({ zoom: 2, address: '/audit' })
  })

  it('opens a second window next to it, at the same URL and without the link', async () => {
    const machine = await ready()
    machine.window.webContents.goes(`${origin}/audit`)
    machine.choose('new-window')
    await settled()
    expect(machine.windows).toHaveLength(2)
    const [first, second] = machine.windows
    expect(second!.options).toMatchObject({ x: first!.bounds.x + 28, y: first!.bounds.y + 28 })
    expect(second!.loaded).toEqual([`${origin}/audit`])
    second!.focus()
    machine.choose('keep')
    expect(second!.webContents.sent).toEqual([{ channel: 'menu/command', value: 'keep' }])
    first!.focus()
    machine.choose('keep')
    expect(first!.webContents.sent).toHaveLength(1)
  })

  it('can be closed while the server starts', async () => {
    const machine = await started()
    machine.window.close()
    await serves(machine)
    machine.app.emit('activate')
    await settled()
    expect(machine.window.loaded).toEqual([`${origin}/session?once=abc`])
  })
})
