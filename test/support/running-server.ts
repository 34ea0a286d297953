// A real server over a new org on a free loopback port, and two ways to send requests: as the studio and as a client.
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { enginesOf, type Engines } from '../../server/compose/engines.ts'
import { initOrg, openOrg } from '../../server/compose/open-org.ts'
import { reusedThreads } from '../../server/compose/threads.ts'
import { startServer, type RunningServer, type StartOptions } from '../../server/index.ts'

export interface Answer<T = Record<string, unknown>> {
  status: number
  headers: Headers
  text: string
  /** The parsed body; undefined if it is not JSON. */
  body: T
}

export interface Ask {
  <T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<T>>
}

export interface TestServer {
  url: string
  server: RunningServer
  /** The org's folder. */
  dir: string
  /** As the studio's administrator. */
  studio: Ask
  /** With the given headers and nothing else. */
  plain: Ask
  /** As a client, by its bearer token. */
  bearer(token: string): Ask
  cookie: string
  /** Engines over the same folder, like those of a command line that runs at the same time as the server. */
  beside<T>(work: (engines: Engines) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const threads = reusedThreads()
const agent = new Agent({ keepAlive: true })
const root = resolve(import.meta.dirname, '../..')

/** `folder`: the folder in which the org's folder is created. */
export async function runningServer(
  options: Partial<StartOptions> = {},
  folder = tmpdir(),
): Promise<TestServer> {
  const dir = mkdtempSync(join(folder, 'almanac-http-'))
  await initOrg(dir, { name: 'Kestrel Test', environment: 'test' }).close()
  const server = await startServer({
    org: dir,
    root,
    host: '127.0.0.1',
    port: 0,
    studio: true,
    sample: false,
    checkReplies: true,
    // Tests send more requests than a client should.
    limitsClients: false,
    // A test that needs a worker starts it; most do not.
    warm: false,
    threads,
    ...options,
  })
  const url = server.listening
  const cookie = server.open === undefined ? '' : await openSession(server.open)
  const plain = asker(url, {})
  return {
    url,
    server,
    dir,
    cookie,
    plain,
    studio: asker(url, { cookie, origin: url }),
    bearer: (token) => asker(url, { authorization: `Bearer ${token}` }),
    beside: async (work) => {
      const org = openOrg(dir)
      let engines: Engines | undefined
      try {
        engines = enginesOf(org)
        return await work(engines)
      } finally {
        await engines?.closeOutside()
        await org.close()
      }
    },
    close: async () => {
      await server.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** The cookie that the one-time link sets. */
export async function openSession(link: string): Promise<string> {
  const { headers } = await send(link, 'GET', {}, undefined)
  return headers.get('set-cookie')?.split(';')[0] ?? ''
}

function asker(url: string, own: Record<string, string>): Ask {
  return async (method, path, body, headers = {}) => {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array || body === undefined
    const sent = isRaw ? body : JSON.stringify(body)
    const media: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const response = await send(url + path, method, { ...media, ...own, ...headers }, sent)
    return { ...response, body: parsed(response.text) as never }
  }
}

/** Without Fetch, which takes twice the processor time; some tests send ten thousand requests. */
function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: string | Uint8Array | undefined,
): Promise<Pick<Answer, 'status' | 'headers' | 'text'>> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, (response) => {
      response.setEncoding('utf8')
      let text = ''
      response.on('data', (piece: string) => (text += piece))
      response.on('error', reject)
      response.on('end', () => {
        const received = new Headers()
        for (const [name, values] of Object.entries(response.headersDistinct))
          for (const value of values ?? []) received.append(name, value)
        resolve({ status: response.statusCode!, headers: received, text })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
