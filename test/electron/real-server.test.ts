// The desktop with its real server in a real process: started, killed, started again, closed.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { startDesktop } from '../../main/desktop.ts'
import { fakeElectron, type FakeMachine } from './fake-electron.ts'
import { person } from './machine.ts'
import { RealUtilityProcess } from './utility-process.ts'

const root = resolve(import.meta.dirname, '../..')
const running: RealUtilityProcess[] = []
const squatters: Server[] = []

afterEach(() => {
  for (const each of running.splice(0)) each.kill('SIGKILL')
  for (const each of squatters.splice(0)) each.close()
})

interface RealMachine extends FakeMachine {
  readonly process: RealUtilityProcess
  /** The user's browser session: the cookie that the link set. */
  visit(path: string): Promise<Response>
}

/** Starts the desktop with the real server over a folder; time is real too. */
async function started(org: string): Promise<RealMachine> {
  const machine = fakeElectron({
    userData: person.data,
    fork: (script) => {
      const made = new RealUtilityProcess(script)
      running.push(made)
      return made
    },
  })
  const timer = {
    now: () => performance.now(),
    after(milliseconds: number, run: () => void) {
      const timeout = setTimeout(run, milliseconds)
      return () => clearTimeout(timeout)
    },
  }
  await startDesktop(
    machine.electron,
    timer,
    {
      root,
      preload: '',
      serverProcess: join(root, 'main/server-process.ts'),
      sample: org,
      platform: 'linux',
    },
    { org: null, address: null },
  )
  return Object.defineProperties(machine, {
    process: { get: () => running.at(-1)! },
    visit: { value: visitor(machine) },
  }) as RealMachine
}

function visitor(machine: FakeMachine) {
  let cookie = ''
  let link: string | undefined
  return async (path: string) => {
    const latest = machine.window.loaded.findLast((url) => url.includes('/session?'))!
    if (latest !== link) {
      const entered = await fetch(latest, { redirect: 'manual' })
      cookie = entered.headers.getSetCookie()[0]!.split(';')[0]!
      link = latest
    }
    return fetch(new URL(path, latest), { headers: { cookie } })
  }
}

/** Resolves once the studio is shown by a new link. If it is not, the error contains the page. */
async function shown(machine: FakeMachine, links = 1): Promise<string> {
  const used = () => machine.window.loaded.filter((url) => url.includes('/session?'))
  const state = () => (used().length >= links ? 'in the studio' : machine.window.shown)
  await expect.poll(state, { timeout: 40_000 }).toBe('in the studio')
  return new URL(used().at(-1)!).origin
}

async function custody(machine: RealMachine): Promise<unknown> {
  return ((await (await machine.visit('/setup/v3/remotes')).json()) as { custody: unknown }).custody
}

describe('the real server', { timeout: 180_000 }, () => {
  it('creates the sample org, serves the studio, and returns to its URL after it was killed', async () => {
    const machine = await started(join(person.data, 'sample'))
    const origin = await shown(machine)
    expect((await machine.visit('/setup/v3/org')).status).toBe(200)
    // The server asks the desktop about secrets, and gets the keychain's current state.
    expect(await custody(machine)).toEqual({ kind: 'keychain', kept: true })
    machine.keychain.state = { backend: 'gnome_libsecret', mark: 'v10' }
    expect(await custody(machine)).toEqual({
      kind: 'keychain',
      kept: false,
      reason: expect.stringContaining('gnome-keyring, KWallet or KeePassXC'),
    })
    machine.window.webContents.goes(`${origin}/audit`)

    machine.process.kill('SIGKILL')
    expect(await shown(machine, 2)).toBe(origin)
    await expect.poll(() => machine.window.shown).toBe(`${origin}/audit`)
    expect((await machine.visit('/setup/v3/org')).status).toBe(200)
    expect(machine.servers).toHaveLength(2)

    // Quitting stops it cleanly.
    const { pid } = machine.process
    machine.app.quit()
    await expect.poll(() => machine.app.quits, { timeout: 20_000 }).toBe(1)
    expect(() => process.kill(pid, 0)).toThrow()
    expect(existsSync(join(person.data, 'sample', 'org.sqlite-wal'))).toBe(false)
  })

  it('uses another port if its own is taken, and explains a folder without an org', async () => {
    const org = join(person.data, 'sample')
    const squatter = createServer().listen(0, '127.0.0.1')
    squatters.push(squatter)
    await new Promise((listening) => squatter.once('listening', listening))
    const { port } = squatter.address() as { port: number }
    writeFileSync(join(person.data, 'desktop.json'), JSON.stringify({ org, ports: { [org]: port } }))
    const machine = await started(org)
    expect(await shown(machine)).not.toContain(`:${port}`)

    const empty = join(person.data, 'empty')
    mkdirSync(empty)
    machine.choosesFolder(empty)
    machine.choose('open-org')
    await expect.poll(() => machine.window.shown, { timeout: 40_000 }).toContain('No org was found at')
    expect(machine.window.shown).toContain('almanac init')
  })
})
