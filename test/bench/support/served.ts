// A server in a process of its own, and requests to it over connections that stay open.
import { fork, type ChildProcess, type ForkOptions } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

export interface Served {
  url: string
  /** Processor time of the process since it started, in microseconds. */
  cpu(): Promise<number>
  stop(): Promise<void>
}

/** @param name a file of support/servers, without its extension */
export function serve(name: string, ...args: readonly string[]): Promise<Served> {
  return serveModule(fileURLToPath(new URL(`./servers/${name}.ts`, import.meta.url)), args)
}

/** @param file a module that calls answerUsage */
export async function serveModule(
  file: string,
  args: readonly string[],
  place: Pick<ForkOptions, 'cwd' | 'env'> = {},
): Promise<Served> {
  const child = fork(file, args, { ...place, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const { url } = await message<{ url: string }>(child)
  return {
    url,
    cpu: async () => {
      child.send('cpu')
      return (await message<{ cpu: number }>(child)).cpu
    },
    stop: async () => {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

async function message<T>(child: ChildProcess): Promise<T> {
  const left = new AbortController()
  const { signal } = left
  try {
    const [answer] = (await Promise.race([
      once(child, 'message', { signal }),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`The server of the benchmark ended with ${String(code)}.`)
      }),
    ])) as [T]
    return answer
  } finally {
    left.abort()
  }
}

/** The text of a request, without the parts that every request has. */
export interface Ask {
  method: 'GET' | 'POST'
  path: string
  body?: string
  /** Beside those of all requests. */
  headers?: Readonly<Record<string, string>>
}

export interface LoadOptions<Asked extends Ask = Ask> {
  connections: number
  ms: number
  headers: Readonly<Record<string, string>>
  /** The next request. */
  next(): Asked
  /** Throws if a response is wrong. */
  check(status: number, body: string, ask: Asked): void
}

export interface Load {
  requests: number
  ms: number
  /** Processor microseconds of the server for each request. */
  cpuEach: number
}

/** Sends requests over each connection, the next one as soon as the one before is answered. */
export async function load<Asked extends Ask>(served: Served, options: LoadOptions<Asked>): Promise<Load> {
  const { hostname, port } = new URL(served.url)
  const head = headerLines({ host: `${hostname}:${port}`, ...options.headers })
  const before = await served.cpu()
  const started = performance.now()
  const until = started + options.ms
  const counts = await Promise.all(
    Array.from({ length: options.connections }, () =>
      run(connect(Number(port), hostname), head, until, options),
    ),
  )
  const ms = performance.now() - started
  const requests = counts.reduce((sum, count) => sum + count, 0)
  return { requests, ms, cpuEach: ((await served.cpu()) - before) / requests }
}

const headerLines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')

/** Returns the number of answered requests. */
function run<Asked extends Ask>(
  socket: Socket,
  head: string,
  until: number,
  { next, check }: LoadOptions<Asked>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0
    let received = ''
    let ask: Asked
    const send = (): void => {
      ask = next()
      const { method, path, body = '', headers } = ask
      const own = headers === undefined ? '' : headerLines(headers)
      const length =
        body === '' ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
      socket.write(`${method} ${path} HTTP/1.1\r\n${head}${own}${length}\r\n${body}`)
    }
    socket.setNoDelay(true)
    socket.setEncoding('latin1')
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The server closed a connection.')))
    socket.on('data', (text: string) => {
      received += text
      const end = received.indexOf('\r\n\r\n')
      if (end === -1) return
      const length = Number(/content-length: (\d+)/i.exec(received.slice(0, end))?.[1] ?? 0)
      if (received.length < end + 4 + length) return
      const status = Number(received.slice(9, 12))
      const body = received.slice(end + 4, end + 4 + length)
      received = received.slice(end + 4 + length)
      try {
        check(status, body, ask)
      } catch (error) {
        return reject(error as Error)
      }
      count += 1
      if (performance.now() < until) return send()
      socket.removeAllListeners('close')
      socket.destroy()
      resolve(count)
    })
  })
}
