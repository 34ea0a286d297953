// A real server over a fresh org in a process of its own, on a free port of loopback.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { bundled } from '../../support/server-bundle.mjs'

const node = process.execPath
const cli = bundled('playwright', 'cli')

export interface StudioServer {
  url: string
  /** Folder of the org. */
  org: string
  /** The link that opens the studio, once. */
  open: string
  /** Ends it as a power cut would. */
  kill(): Promise<void>
  /** Starts it anew at the same address; sessions by password go on. */
  start(): Promise<void>
  stop(): Promise<void>
}

export interface Person {
  key: string
  name: string
  password: string
  permissionSets?: readonly string[]
}

export interface StudioOptions {
  name?: string
  environment?: string
  /** The sample org instead of an empty one. */
  sample?: boolean
  /** People who sign in with a password: administrators, each by the key. */
  people?: readonly Person[]
}

/** Starts it; answers once it listens. */
export async function startStudio({
  name = 'Kestrel',
  environment = 'test',
  sample = false,
  people = [],
}: StudioOptions = {}): Promise<StudioServer> {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-e2e-'))
  const org = join(folder, 'org')
  cpSync(madeOrg({ name, environment, sample, people }), org, { recursive: true })
  const serve = (port: string): ChildProcess =>
    spawn(node, [cli, 'serve', '--org', org, '--port', port, '--studio'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  let server = serve('0')
  const { listening, open } = await readyLine(server)
  const end = (signal: NodeJS.Signals): Promise<void> =>
    new Promise((done) => {
      if (server.exitCode !== null || server.signalCode !== null) return done()
      server.once('exit', () => done())
      server.kill(signal)
    })
  return {
    url: listening,
    org,
    open,
    kill: () => end('SIGKILL'),
    start: async () => {
      server = serve(new URL(listening).port)
      await readyLine(server)
    },
    stop: async () => {
      await end('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const made = new Map<string, string>()

/** The folder of a new org, made once in a process for each kind that is asked for; every studio begins with a copy. */
function madeOrg({ name, environment, sample, people }: Required<StudioOptions>): string {
  const kind = JSON.stringify([name, environment, sample, people])
  const known = made.get(kind)
  if (known !== undefined) return known
  const folder = mkdtempSync(join(tmpdir(), 'almanac-e2e-made-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const org = join(folder, 'org')
  const options = ['--name', name, '--environment', environment, ...(sample ? ['--sample'] : [])]
  execFileSync(node, [cli, 'init', org, ...options], { stdio: ['ignore', 'ignore', 'inherit'] })
  for (const person of people) addPerson(org, person)
  made.set(kind, org)
  return org
}

function addPerson(org: string, { key, name, password, permissionSets = ['administrator'] }: Person): void {
  const held = permissionSets.flatMap((set) => ['--permission-set', set])
  execFileSync(node, [cli, 'user', 'add', key, '--org', org, '--name', name, ...held, '--password-stdin'], {
    input: password,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
}

function readyLine(server: ChildProcess): Promise<{ listening: string; open: string }> {
  return new Promise((found, failed) => {
    server.once('exit', (code) => failed(new Error(`The server ended with ${code} before it listened.`)))
    createInterface({ input: server.stdout! }).on('line', (line) => {
      try {
        const said = JSON.parse(line) as { listening?: string; open?: string }
        if (said.listening && said.open) found({ listening: said.listening, open: said.open })
      } catch {
        // Another line than the one awaited.
      }
    })
  })
}
