// A server under observation: what one request costs other users, in waiting and in memory.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openSession } from '../support/running-server.ts'
import { exchange, type Exchanged } from './exchange.ts'
import { bundled } from '../support/bundled.mjs'
import type { Command, Measured, Ready } from './server-process.ts'

export interface Cost extends Measured {
  status: number
  code: string
  ms: number
  /** Bytes of the response. */
  bytes: number
  /** The response if it is small JSON. */
  json: unknown
}

export interface SentRequest {
  method: string
  path: string
  body?: Uint8Array | undefined
  headers?: Record<string, string> | undefined
  /** Waits for work that the request started, which is measured with it. */
  until?: ((json: unknown) => Promise<void>) | undefined
}

/** A request that is not measured. @throws Error if it is refused */
export type Ask = <T = Record<string, unknown>>(method: string, path: string, body?: unknown) => Promise<T>

export interface MeasuredServer {
  url: string
  cookie: string
  pid: number
  cost(sent: SentRequest): Promise<Cost>
  /** The costs on this server while something else is measured. */
  watched<T>(work: () => Promise<T>): Promise<[T, Measured]>
  ask: Ask
  /** Collects garbage, so that it does not count for the next request. */
  collect(): Promise<void>
  close(): Promise<void>
}

export interface MeasuredTerms {
  /** The folder of an org to copy; the sample if omitted. */
  org?: string
  planted?: boolean
}

const root = resolve(import.meta.dirname, '../..')
/** Work that a request leaves behind, such as a garbage collection, is part of its cost. */
const settleMs = 5

export async function measuredServer({ org, planted }: MeasuredTerms = {}): Promise<MeasuredServer> {
  const dir = mkdtempSync(join(tmpdir(), 'almanac-resources-'))
  if (org !== undefined) cpSync(org, dir, { recursive: true })
  const server = fork(bundled('vitest', 'server-process'), [dir, root, planted === true ? 'planted' : ''])
  const [{ listening: url, open }] = (await once(server, 'message')) as [Ready]
  const cookie = await openSession(open)
  return {
    ...{ url, cookie, pid: server.pid! },
    cost: (sent) => costOf(server, { url, cookie }, sent),
    watched: async (work) => {
      await command(server, 'start')
      const result = await work()
      return [result, await command<Measured>(server, 'stop')]
    },
    ask: (method, path, body) => askOf({ url, cookie }, method, path, body),
    collect: async () => void (await command(server, 'collect')),
    close: async () => {
      const ended = once(server, 'exit')
      server.send('end')
      await ended
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

async function costOf(
  server: ChildProcess,
  { url, cookie }: { url: string; cookie: string },
  { method, path, body, headers, until }: SentRequest,
): Promise<Cost> {
  await command(server, 'start')
  const started = performance.now()
  const media: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  const reply = await exchange(url + path, { method, headers: { cookie, origin: url, ...media, ...headers }, body }).then(
    replyOf,
    (error: Error) => ({ status: 0, code: String(error.cause ?? error), bytes: 0, json: null }),
  )
  if (reply.status < 400) await until?.(reply.json)
  const ms = performance.now() - started
  await new Promise((after) => setTimeout(after, settleMs))
  const measured = await command<Measured>(server, 'stop')
  return { ...reply, ms, ...measured }
}

async function command<T>(server: ChildProcess, name: Command): Promise<T> {
  const message = once(server, 'message')
  server.send(name)
  return ((await message) as [T])[0]
}

async function askOf<T>(
  { url, cookie }: { url: string; cookie: string },
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const isText = typeof body === 'string'
  const media = isText ? 'text/csv' : 'application/json'
  const response = await fetch(url + path, {
    method,
    headers: { cookie, origin: url, ...(body === undefined ? {} : { 'content-type': media }) },
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`)
  return (text === '' ? null : JSON.parse(text)) as T
}

/** A larger response is not read. */
const mostJson = 1024 * 1024

function replyOf({ status, bytes }: Exchanged): Pick<Cost, 'status' | 'code' | 'bytes' | 'json'> {
  const json = bytes.length > mostJson ? null : jsonOf(bytes.toString())
  const { code, error } = (json ?? {}) as { code?: string; error?: string }
  const words = status < 400 ? '' : (code ?? error ?? bytes.toString('utf8', 0, 50))
  return { status, code: words, bytes: bytes.length, json }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
