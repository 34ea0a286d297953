// A real server over a new org on a free loopback port: in one process for all tests of a worker, because starting a
// process takes longer than most tests; or in a separate process, which can be killed.
import { execFileSync, fork, spawn, type ChildProcess } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { bundled } from '../../support/bundled.mjs'
import type { HostReply, HostRequest } from './studio-host.ts'

const node = process.execPath
const cli = bundled('playwright', 'cli')

export interface StudioServer {
  url: string
  /** The org's folder. */
  org: string
  /** The link that opens the studio, once. */
  open: string
  /**
   * Ends it as a power failure would.
   * @throws Error unless it has its own process
   */
  kill(): Promise<void>
  /** Starts it again at the same URL; sessions with a password continue. */
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
  /** Users who sign in with a password: administrators, each by key. */
  people?: readonly Person[]
  /** A separate process for this server, so that it can be killed. */
  ownProcess?: boolean
}

/** Resolves once the server listens. */
export async function startStudio({
  name = 'Kestrel',
  environment = 'test',
  sample = false,
  people = [],
  ownProcess = false,
}: StudioOptions = {}): Promise<StudioServer> {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-e2e-'))
  const org = join(folder, 'org')
  cpSync(madeOrg({ name, environment, sample, people }), org, { recursive: true })
  const server = await (ownProcess ? processOf(org) : hosted(org))
  return {
    ...server,
    org,
    stop: async () => {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Served = Omit<StudioServer, 'org'>

async function processOf(org: string): Promise<Served> {
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
    open,
    kill: () => end('SIGKILL'),
    start: async () => {
      server = serve(new URL(listening).port)
      await readyLine(server)
    },
    stop: () => end('SIGTERM'),
  }
}

let host: ChildProcess | undefined
let lastId = 0

/** Sends a request to the host process of this worker, which the first request starts. @throws Error of the host */
function askHost<T>(request: HostRequest): Promise<T> {
  if (host === undefined) {
    host = fork(bundled('playwright', 'studio-host'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    host.setMaxListeners(0)
    // The worker may end while its host waits for the next test.
    host.unref()
    host.channel?.unref()
  }
  const child = host
  const id = (lastId += 1)
  return new Promise((done, fail) => {
    const ended = (): void => fail(new Error('The process of the test servers has ended.'))
    const receive = (message: { id: number; reply: HostReply }): void => {
      if (message.id !== id) return
      const { reply } = message
      child.off('message', receive)
      child.off('exit', ended)
      child.channel?.unref()
      if ('error' in reply) fail(new Error(reply.error))
      else done(reply as T)
    }
    child.channel?.ref()
    child.on('message', receive)
    child.once('exit', ended)
    child.send({ id, request })
  })
}

/** The port of this worker's servers: a shared page that changes its origin needs a new process. `0` for any. */
let port = 0
let portIsTaken = false

async function hosted(org: string): Promise<Served> {
  const start = (at: number): Promise<{ listening: string; open: string }> =>
    askHost({ start: { org, root: resolve(import.meta.dirname, '../../..'), port: at } })
  const isFirst = !portIsTaken
  const { listening, open } = await start(isFirst ? port : 0).catch(() => start(0))
  if (isFirst) [port, portIsTaken] = [Number(new URL(listening).port), true]
  const stop = async (): Promise<void> => {
    await askHost({ stop: listening })
    if (isFirst) portIsTaken = false
  }
  return {
    url: listening,
    open,
    kill: () => Promise.reject(new Error('A server that is killed needs ownProcess: true.')),
    start: async () => void (await start(Number(new URL(listening).port))),
    stop,
  }
}

const orgsByKind = new Map<string, string>()

/** The folder of a new org, created once in a process for each kind; every studio starts with a copy. */
function madeOrg({ name, environment, sample, people }: Required<Omit<StudioOptions, 'ownProcess'>>): string {
  const kind = JSON.stringify([name, environment, sample, people])
  const known = orgsByKind.get(kind)
  if (known !== undefined) return known
  const folder = mkdtempSync(join(tmpdir(), 'almanac-e2e-made-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const org = join(folder, 'org')
  const options = ['--name', name, '--environment', environment, ...(sample ? ['--sample'] : [])]
  execFileSync(node, [cli, 'init', org, ...options], { stdio: ['ignore', 'ignore', 'inherit'] })
  for (const person of people) addPerson(org, person)
  orgsByKind.set(kind, org)
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
  return new Promise((ready, failed) => {
    server.once('exit', (code) => failed(new Error(`The server ended with ${code} before it listened.`)))
    createInterface({ input: server.stdout! }).on('line', (line) => {
      try {
        const message = JSON.parse(line) as { listening?: string; open?: string }
        if (message.listening && message.open) ready({ listening: message.listening, open: message.open })
      } catch {
        // A line other than the expected one.
      }
    })
  })
}
