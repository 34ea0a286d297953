// A server under observation: what one request costs everybody else, in waiting and in memory.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openSession } from '../support/running-server.ts'
import type { Measured, Ready } from './server-process.ts'

export interface Cost {
  status: number
  code: string
  ms: number
  /** Longest wait of a reader. */
  wait: number
  /** Longest delay of a process that has nothing to do with the server, at the same time. */
  beside: number
  /** Processor time of the readers' thread in one turn at most. */
  own: number
  /** What the process grew by, in megabytes. */
  grown: number
}

export interface Sent {
  method: string
  path: string
  body?: Uint8Array | undefined
  headers?: Record<string, string> | undefined
}

export interface MeasuredServer {
  url: string
  cookie: string
  cost(sent: Sent): Promise<Cost>
  close(): Promise<void>
}

const root = resolve(import.meta.dirname, '../..')
const sampleMs = 5
/** A client waits for an answer this long. */
const patienceMs = 150_000

export async function measuredServer(planted = false): Promise<MeasuredServer> {
  const dir = mkdtempSync(join(tmpdir(), 'almanac-resources-'))
  const server = fork(join(import.meta.dirname, 'server-process.ts'), [dir, root, planted ? 'planted' : ''])
  const [{ listening: url, open }] = (await once(server, 'message')) as [Ready]
  const cookie = await openSession(open)
  const reader = fork(join(import.meta.dirname, 'reader-process.ts'), [url, cookie])
  const bystander = fork(join(import.meta.dirname, 'bystander-process.ts'))
  await new Promise((settled) => setTimeout(settled, 500))
  return {
    url,
    cookie,
    cost: (sent) => costOf({ server, reader, bystander }, { url, cookie }, sent),
    close: async () => {
      reader.disconnect()
      bystander.disconnect()
      const ended = once(server, 'exit')
      server.send('end')
      await ended
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

type Processes = Record<'server' | 'reader' | 'bystander', ChildProcess>

async function costOf(
  { server, reader, bystander }: Processes,
  { url, cookie }: { url: string; cookie: string },
  { method, path, body, headers }: Sent,
): Promise<Cost> {
  await Promise.all([server, reader, bystander].map((each) => said(each, 'start')))
  const before = residentOf(server.pid!)
  let most = before
  const sampler = setInterval(() => (most = Math.max(most, residentOf(server.pid!))), sampleMs)
  const started = performance.now()
  const media: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  const { status, code } = await fetch(url + path, {
    method,
    headers: { cookie, origin: url, ...media, ...headers },
    signal: AbortSignal.timeout(patienceMs),
    redirect: 'manual',
    ...(body === undefined ? {} : { body: body as BodyInit }),
  }).then(answerOf, (error: Error) => ({ status: 0, code: String(error.cause ?? error) }))
  const ms = performance.now() - started
  // What is left over, such as a collection, is a cost of the request too.
  await new Promise((after) => setTimeout(after, 20))
  clearInterval(sampler)
  const [measured, wait, beside] = await Promise.all([
    said<Measured>(server, 'stop'),
    said<number>(reader, 'stop'),
    said<number>(bystander, 'stop'),
  ])
  return { status, code, ms, wait, beside, own: measured.own, grown: (most - before) / 1e6 }
}

async function said<T>(child: ChildProcess, command: string): Promise<T> {
  const message = once(child, 'message')
  child.send(command)
  return ((await message) as [T])[0]
}

async function answerOf(response: Response): Promise<{ status: number; code: string }> {
  const { status } = response
  // An answer may be large; only that of an error is read as text.
  if (status < 400) return response.arrayBuffer().then(() => ({ status, code: '' }))
  const body = (await response.json()) as { code?: string; error?: string }
  return { status, code: body.code ?? body.error ?? '' }
}

/** Bytes that a process has in memory; 0 on a system that does not show it. */
function residentOf(pid: number): number {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Number(kilobytes ?? 0) * 1024
  } catch {
    return 0
  }
}
