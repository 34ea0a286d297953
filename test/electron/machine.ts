// A machine on which the desktop is started, for the tests of this folder.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { startDesktop } from '../../main/desktop.ts'
import type { StartRequest } from '../../main/decisions/start-arguments.ts'
import { fakeElectron, type FakeMachine, type FakeOptions, settled } from './fake-electron.ts'

export const origin = 'http://127.0.0.1:4680'
export const ourFrame = { url: `${origin}/changes`, parent: null }
export const sample = '/home/person/sample'

/** The folder of the user's own data, new for each test. */
export const person = { data: '' }

beforeEach(() => {
  person.data = mkdtempSync(join(tmpdir(), 'desktop-'))
})
afterEach(() => rmSync(person.data, { recursive: true, force: true }))

export interface Start extends Partial<FakeOptions> {
  wish?: Partial<StartRequest>
  platform?: NodeJS.Platform
}

/** Starts the desktop; its server is not ready yet. */
export async function started({ wish, platform, ...options }: Start = {}): Promise<FakeMachine> {
  const machine = fakeElectron({ userData: person.data, ...options })
  const places = {
    root: '/app',
    preload: '/app/out/preload/preload.cjs',
    serverProcess: '/app/out/main/server-process.js',
    sample,
    platform: platform ?? 'linux',
  }
  await startDesktop(machine.electron, machine.timer, places, { org: null, address: null, ...wish })
  await settled()
  return machine
}

/** Starts the desktop, whose server becomes ready immediately. */
export async function ready(options: Start & { port?: number } = {}): Promise<FakeMachine> {
  const machine = await started(options)
  await serves(machine, options.port)
  return machine
}

export async function serves(machine: FakeMachine, port?: number): Promise<void> {
  machine.server.becomesReady(port)
  await settled()
}
