// Starts a server in a process of its own, and keeps all that it prints and returns.
import { fork, type ChildProcess } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { bundled } from '../../support/bundled.mjs'
import { openSession } from '../../support/running-server.ts'
import type { CanaryReply, CanaryRequest } from './canary-process.ts'
import type { Needle } from './marks.ts'
import { findIn, findInFile, findInFolder, type Found } from './scan.ts'

export interface Response {
  status: number
  headers: Headers
  text: string
  body: Record<string, never>
}

/** @throws Error with the response if it has a different status */
export function must({ status, text }: Response, expected: number): void {
  if (status !== expected) throw new Error(`${status} and not ${expected}: ${text}`)
}

/** Repeats a look until it returns something. @throws Error after 20 seconds */
export async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + 20_000; Date.now() < end;) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error(`${what}: not within 20 seconds.`)
}

type Headers1 = Record<string, string>

/** Makes Node and all libraries print what they can. */
const talkative = { DEBUG: '*', NODE_DEBUG: 'undici,fetch,http,https,tls,net' }

export class CanaryServer {
  url = ''
  cookie = ''
  /** Of the process. */
  readonly temp: string
  readonly org: string
  /** What it printed, and each response with its headers. */
  readonly printed: Buffer[] = []
  readonly responses: { name: string; bytes: Buffer }[] = []
  readonly #folder: string
  #child!: ChildProcess

  constructor(folder: string) {
    this.#folder = folder
    this.org = join(folder, 'org')
    this.temp = join(folder, 'temp')
  }

  async start(): Promise<void> {
    mkdirSync(this.temp, { recursive: true })
    this.#child = fork(
      bundled('vitest', 'canary-process'),
      [this.org, resolve(import.meta.dirname, '../../..')],
      {
        execArgv: ['--expose-gc', '--heap-snapshot-string-limit=1000000'],
        env: { PATH: process.env['PATH'] ?? '', HOME: this.temp, TMPDIR: this.temp, ...talkative },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      },
    )
    for (const stream of [this.#child.stdout!, this.#child.stderr!])
      stream.on('data', (piece: Buffer) => this.printed.push(piece))
    const ready = await this.#reply()
    if (ready.kind !== 'ready') throw new Error('The server did not start.')
    this.url = ready.listening
    this.cookie = await openSession(ready.open)
  }

  /** As the administrator, unless other headers are given. */
  async ask(method: string, path: string, body?: unknown, headers: Headers1 = {}): Promise<Response> {
    const response = await fetch(this.url + path, {
      ...{ method, redirect: 'manual' },
      headers: { cookie: this.cookie, origin: this.url, 'content-type': 'application/json', ...headers },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    })
    const text = await response.text()
    const head = JSON.stringify([...response.headers].filter(([name]) => name !== 'date'))
    this.responses.push({
      name: `${method} ${path.split('?')[0]!} ${response.status}`,
      bytes: Buffer.from(head + text),
    })
    let parsed: unknown
    try {
      parsed = JSON.parse(text)
    } catch {
      parsed = {}
    }
    return { status: response.status, headers: response.headers, text, body: parsed as never }
  }

  /** The marks in everything that a user, an operator or a copy of the folder could see. */
  findOutside(needles: readonly Needle[]): Found[] {
    return [
      ...findInFolder(this.#folder, needles),
      ...findIn(Buffer.concat(this.printed), 'the output of the server', needles),
      ...this.responses.flatMap(({ name, bytes }) => findIn(bytes, `the response to ${name}`, needles)),
    ]
  }

  /** The marks in the heaps of its threads, after a forced collection. */
  async findInHeaps(
    { folder, threads }: { folder: string; threads: 'all' | 'main' },
    needles: readonly Needle[],
  ): Promise<{ heaps: number; found: Found[] }> {
    mkdirSync(folder, { recursive: true })
    const done = await this.#send({ kind: 'snapshot', folder, threads })
    const files = done.kind === 'done' ? done.files : []
    const found = files.flatMap((file) => findInFile(file, `the heap ${file.split('/').at(-1)!}`, needles))
    rmSync(folder, { recursive: true, force: true })
    return { heaps: files.length, found }
  }

  async plant(where: 'heap' | 'log', text: string): Promise<void> {
    await this.#send({ kind: 'plant', where, text })
    // What is printed arrives after the reply.
    await new Promise((done) => setTimeout(done, 100))
  }

  async stop(): Promise<void> {
    const ended = new Promise((done) => this.#child.once('exit', done))
    this.#child.send({ kind: 'stop' } satisfies CanaryRequest)
    await ended
  }

  #reply(): Promise<CanaryReply> {
    return new Promise((done, fail) => {
      this.#child.once('message', (message) => done(message as CanaryReply))
      this.#child.once('exit', () =>
        fail(new Error(`The server ended: ${Buffer.concat(this.printed).toString()}`)),
      )
    })
  }

  #send(request: CanaryRequest): Promise<CanaryReply> {
    const reply = this.#reply()
    this.#child.send(request)
    return reply
  }
}
