// The native menu: the commands of the palette, with the same labels and keys, and enabled as the page reports.
import { describe, expect, it } from 'vitest'
import { commands } from '../../renderer/frame/commands.ts'
import { type FakeMachine, type FakeMenuItem, settled } from './fake-electron.ts'
import { ourFrame, ready, started } from './machine.ts'

const all = (items: FakeMenuItem[]): FakeMenuItem[] =>
  items.flatMap((item) => [item, ...all(item.submenu ?? [])])
const tell = (machine: FakeMachine, ...ids: string[]) =>
  machine.invoke('menu/unavailable', { commands: ids }, ourFrame)

describe('the menu', () => {
  it('has every command of the palette once, with its label', async () => {
    const machine = await ready()
    for (const { id, label } of commands)
      expect(all(machine.menu).filter((item) => item.id === id)).toMatchObject([{ label }])
  })

  it('has the keys of the palette, except for one that a user may be typing', async () => {
    const machine = await ready()
    expect(machine.item('command-palette').accelerator).toBe('CmdOrCtrl+K')
    expect(machine.item('apply').accelerator).toBe('CmdOrCtrl+Shift+Enter')
    expect(machine.item('shortcuts').accelerator).toBeUndefined()
  })

  it.each(['linux', 'win32', 'darwin'] as const)('has no key on two items on %s', async (platform) => {
    const machine = await ready({ platform })
    // Keys that Electron gives to a role.
    const own: Record<string, string> = { togglefullscreen: 'F11', quit: 'CmdOrCtrl+Q', close: 'CmdOrCtrl+W' }
    const keys = all(machine.menu).flatMap(({ accelerator, role }) => accelerator ?? own[role ?? ''] ?? [])
    expect(keys).toEqual([...new Set(keys)])
  })

  it('sends a command to the active page', async () => {
    const machine = await ready()
    machine.choose('review-changes')
    expect(machine.window.webContents.sent).toEqual([{ channel: 'menu/command', value: 'review-changes' }])
  })

  it('offers no command if no studio is shown', async () => {
    const machine = await started()
    expect(commands.map(({ id }) => machine.item(id).enabled)).not.toContain(true)
    machine.choose('keep')
    machine.server.becomesReady()
    await settled()
    expect(commands.map(({ id }) => machine.item(id).enabled)).not.toContain(false)
    machine.server.crashes()
    expect(machine.item('keep').enabled).toBe(false)
    expect(machine.window.webContents.sent).toEqual([])
  })

  it('enables what the page can carry out, as the page reports', async () => {
    const machine = await ready()
    await tell(machine, 'apply', 'review-changes')
    expect(machine.item('apply').enabled).toBe(false)
    expect(machine.item('keep').enabled).toBe(true)
    machine.choose('apply')
    expect(machine.window.webContents.sent).toEqual([])
    await tell(machine)
    expect(machine.item('apply').enabled).toBe(true)
  })

  it('enables what the active window can carry out', async () => {
    const machine = await ready()
    machine.choose('new-window')
    await settled()
    const [first, second] = machine.windows
    second!.focus()
    await tell(machine, 'apply')
    expect(machine.item('apply').enabled).toBe(false)
    first!.focus()
    expect(machine.item('apply').enabled).toBe(true)
    second!.focus()
    expect(machine.item('apply').enabled).toBe(false)
    second!.close()
    expect(machine.item('apply').enabled).toBe(true)
  })

  it('opens another org from its folder', async () => {
    const machine = await ready()
    machine.choose('open-org')
    await settled()
    expect(machine.servers).toHaveLength(1)
    machine.choosesFolder('/home/person/other')
    machine.choose('open-org')
    await settled()
    expect(machine.server.heard).toMatchObject([{ kind: 'start', org: '/home/person/other', sample: false }])
  })
})
