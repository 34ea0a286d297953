// A server that ends: it is started again at its port, or given up with a page that shows why.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { statusLink } from '../../main/decisions/status-actions.ts'
import { type FakeMachine, settled } from './fake-electron.ts'
import { origin, person, ready, sample, serves, started } from './machine.ts'

async function failed(reason = 'The org is open elsewhere.'): Promise<FakeMachine> {
  const machine = await started()
  machine.server.stderr.write('reading the org\n')
  await settled()
  machine.server.emit('message', { kind: 'failed', reason })
  await settled()
  return machine
}

async function crashes(machine: FakeMachine, code = 7): Promise<void> {
  machine.server.crashes(code)
  await settled()
}

describe('a server that ends', () => {
  it('is started again on its port, and the window returns to its URL', async () => {
    const machine = await ready()
    machine.window.webContents.goes(`${origin}/c/config_set/vat_rate?row=3#json`)
    await crashes(machine)
    expect(machine.servers).toHaveLength(1)
    // The page is not replaced: it shows that the server does not respond, and keeps unsaved input.
    expect(machine.window.shown).toBe(`${origin}/c/config_set/vat_rate?row=3#json`)
    await machine.timer.pass(500)
    expect(machine.servers).toHaveLength(2)
    expect(machine.server.heard).toMatchObject([{ kind: 'start', port: 4680 }])
    machine.server.emit('message', {
      kind: 'ready',
      listening: origin,
      open: `${origin}/session?once=second`,
    })
    await settled()
    expect(machine.window.loaded.slice(-2)).toEqual([
      `${origin}/session?once=second`,
      `${origin}/c/config_set/vat_rate?row=3#json`,
    ])
  })

  it('returns to the URL even if its port was taken in the meantime', async () => {
    const machine = await ready()
    machine.window.webContents.goes(`${origin}/audit`)
    await crashes(machine)
    await machine.timer.pass(500)
    await serves(machine, 4999)
    expect(machine.window.loaded.at(-1)).toBe('http://127.0.0.1:4999/audit')
  })

  it('returns in every window, by one link', async () => {
    const machine = await ready()
    machine.choose('new-window')
    await settled()
    machine.windows[0]!.webContents.goes(`${origin}/changes`)
    machine.windows[1]!.webContents.goes(`${origin}/audit`)
    await crashes(machine)
    await machine.timer.pass(500)
    await serves(machine, 4999)
    expect(machine.windows.map(({ shown }) => shown)).toEqual([
      'http://127.0.0.1:4999/changes',
      'http://127.0.0.1:4999/audit',
    ])
    const links = machine.windows
      .flatMap(({ loaded }) => loaded)
      .filter((url) => url.includes('4999/session'))
    expect(links).toHaveLength(1)
  })

  it('waits longer each time, and gives up with a page that shows why', async () => {
    const machine = await ready()
    machine.window.webContents.goes(`${origin}/audit`)
    for (const delay of [500, 1000, 2000, 4000]) {
      await crashes(machine)
      const before = machine.servers.length
      await machine.timer.pass(delay - 1)
      expect(machine.servers.length).toBe(before)
      await machine.timer.pass(1)
      expect(machine.servers.length).toBe(before + 1)
    }
    machine.server.stdout.write('half a li')
    machine.server.stderr.write('disk <full>\n')
    await settled()
    await crashes(machine)
    await machine.timer.pass(60_000)
    expect(machine.servers).toHaveLength(5)
    const page = machine.window.shown
    expect(page).toMatch(/^data:text\/html/)
    expect(page).toContain('It last exited with code 7')
    expect(page).toContain('disk &lt;full&gt;')
    expect(page).toContain(`Your data is in ${sample}`)
    for (const button of ['Try again', 'Open the folder', 'Quit']) expect(page).toContain(`>${button}</a>`)
  })

  it('keeps the last lines of its output, and no more', async () => {
    const machine = await failed('It cannot.')
    expect(machine.window.shown).toContain('reading the org')
    const many = await started()
    many.server.stderr.write(Array.from({ length: 500 }, (_, at) => `line ${at}`).join('\n'))
    await settled()
    many.server.emit('message', { kind: 'failed', reason: 'It cannot.' })
    await settled()
    expect(many.window.shown).toContain('line 499')
    expect(many.window.shown).not.toContain('line 450\n')
  })

  it('is started again by "Try again", and the window returns to its URL', async () => {
    const machine = await ready()
    machine.window.webContents.goes(`${origin}/audit`)
    for (const delay of [500, 1000, 2000, 4000]) {
      await crashes(machine)
      await machine.timer.pass(delay)
    }
    await crashes(machine)
    expect(machine.window.webContents.follows(statusLink('try-again'))).toBe(false)
    await settled()
    expect(machine.servers).toHaveLength(6)
    await serves(machine)
    expect(machine.window.loaded.at(-1)).toBe(`${origin}/audit`)
  })

  it('opens the folder and quits from the page', async () => {
    const machine = await failed()
    expect(machine.window.shown).toContain('The org is open elsewhere.')
    machine.window.webContents.follows(statusLink('open-folder'))
    expect(machine.folders).toEqual([sample])
    machine.window.webContents.follows(statusLink('quit'))
    await settled()
    expect(machine.app.quits).toBe(1)
  })

  it('is not asked again for a page that failed', async () => {
    const machine = await failed()
    await machine.timer.pass(120_000)
    expect(machine.servers).toHaveLength(1)
    expect(machine.server.killed).toBe(true)
  })

  it('counts as failed if it is not ready in time', async () => {
    const machine = await started()
    await machine.timer.pass(60_000)
    expect(machine.server.killed).toBe(true)
    expect(machine.servers).toHaveLength(1)
    await machine.timer.pass(500)
    expect(machine.servers).toHaveLength(2)
  })

  it('does not return once the user has quit', async () => {
    const machine = await ready()
    await crashes(machine)
    machine.app.quit()
    await machine.timer.pass(60_000)
    expect(machine.servers).toHaveLength(1)
    expect(machine.app.quits).toBe(1)
  })

  it('reports that its folder cannot be opened', async () => {
    const machine = await ready({ wish: { org: '/absent' } })
    machine.choose('show-folder')
    await settled()
    expect(machine.errors).toEqual(['The folder could not be opened: /absent: No such file or directory'])
  })
})

describe('a page that ends', () => {
  it('is loaded again at its URL', async () => {
    const machine = await ready()
    machine.window.webContents.goes(`${origin}/audit`)
    machine.window.webContents.dies()
    await machine.timer.pass(500)
    expect(machine.window.loaded.at(-1)).toBe(`${origin}/audit`)
    expect(machine.servers).toHaveLength(1)
  })

  it('is given up with a page that shows why, from which the user can try again', async () => {
    const machine = await ready()
    for (let time = 0; time < 5; time++) {
      machine.window.webContents.dies('oom')
      await machine.timer.pass(8_000)
    }
    expect(machine.window.shown).toContain('crashed several times (oom)')
    machine.window.webContents.follows(statusLink('try-again'))
    await settled()
    expect(machine.window.shown).toBe(`${origin}/`)
  })
})

describe('a key file that is damaged', () => {
  it('stops the start with a page that explains it, and is not replaced', async () => {
    const path = join(person.data, 'vault-key.json')
    writeFileSync(path, '{}')
    const machine = await started()
    expect(machine.servers).toEqual([])
    expect(machine.window.shown).toContain('is damaged')
  })
})
