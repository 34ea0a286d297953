// A real HTTP server in front of a real org that misbehaves as a test asks: it hangs, cuts connections, alters
// responses, redirects.
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Behaviour =
  /** Never responds. */
  | 'hang'
  /** Ends the connection before the org receives the request. */
  | 'cut'
  /** The org carries out the request, and its response is lost. */
  | 'cut_after'
  /** The org carries out the request, and half of its response arrives. */
  | 'half'
  /** The org carries out the request, and no response is sent. */
  | 'mute'
  /** Sends one byte of its response now and then, and never ends. */
  | 'drip'
  /** The same with the headers of the response. */
  | 'drip_head'
  /** Responds with what it was sent: headers and body. */
  | 'echo'
  /** Responds in place of the org. */
  | { status: number; headers?: Record<string, string>; body?: string }
  /** Changes the org's response. */
  | ((body: string) => string)

export interface Relay {
  url: string
  /** Misbehaves from now on, for the matching paths and the given methods, `times` times. */
  behave(at: RegExp, behaviour: Behaviour, times?: number): void
  /** Resolves once the next such request hangs here, or once the org has carried it out without a response. */
  unanswered(at: RegExp): Promise<void>
  /** Forwards everything unchanged again. */
  heal(): void
  /** Forwards to another org. */
  lead(upstream: string): void
  /** The bearer token of the last request. */
  readonly bearer: string
  /** The number of `POST /metadata/v3/apply` requests that reached the org. */
  passed: string[]
  close(): Promise<void>
}

interface Rule {
  at: RegExp
  behaviour: Behaviour
  left: number
}

export async function relayTo(first: string): Promise<Relay> {
  let upstream = first
  let rules: Rule[] = []
  const passed: string[] = []
  let bearer = ''
  const waiting: { at: RegExp; resolve: () => void }[] = []
  const leave = (line: string): void => {
    for (const { at, resolve } of waiting) if (at.test(line)) resolve()
  }
  const server = createServer((asked, answer) => {
    const line = `${asked.method} ${asked.url}`
    bearer = asked.headers.authorization?.replace('Bearer ', '') ?? bearer
    const rule = rules.find(({ at, left }) => left > 0 && at.test(line))
    if (rule !== undefined) rule.left -= 1
    const behaviour = rule?.behaviour
    if (behaviour === 'hang') {
      asked.resume()
      return leave(line)
    }
    if (behaviour === 'cut') return void asked.socket.destroy()
    if (behaviour === 'drip' || behaviour === 'drip_head') return drip(asked, answer, behaviour)
    if (behaviour === 'echo') return echo(asked, answer)
    if (typeof behaviour === 'object') {
      asked.resume()
      const { status, headers = { 'content-type': 'application/json' }, body = '' } = behaviour
      return void answer.writeHead(status, headers).end(body)
    }
    passed.push(line)
    forward(upstream, asked, answer, behaviour, () => leave(line))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behave: (at, behaviour, times = Infinity) => void rules.push({ at, behaviour, left: times }),
    unanswered: (at) => new Promise((resolve) => void waiting.push({ at, resolve })),
    heal: () => (rules = []),
    lead: (to) => (upstream = to),
    passed,
    get bearer() {
      return bearer
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function drip(asked: IncomingMessage, answer: ServerResponse, what: 'drip' | 'drip_head'): void {
  asked.resume()
  if (what === 'drip') answer.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
  else asked.socket.write('HTTP/1.1 200 OK\r\nx-slow: ')
  const timer = setInterval(() => (what === 'drip' ? answer.write(' ') : asked.socket.write('x')), 100)
  asked.socket.on('close', () => clearInterval(timer))
}

function echo(asked: IncomingMessage, answer: ServerResponse): void {
  const pieces: Buffer[] = []
  asked.on('data', (piece: Buffer) => pieces.push(piece))
  asked.on('end', () => {
    const told = `${asked.headers['authorization'] ?? ''} ${Buffer.concat(pieces).toString('utf8')}`
    const secret = told.replace('Bearer ', '')
    const forms = [told, encodeURIComponent(secret), Buffer.from(told).toString('hex')].join(' ')
    const body = JSON.stringify({
      code: 'access.denied',
      detail: forms,
      correlationId: told,
      details: [{ told, list: [told] }],
    })
    answer.writeHead(403, { 'content-type': 'application/json', 'x-correlation-id': 'theirs' }).end(body)
  })
}

function forward(
  upstream: string,
  asked: IncomingMessage,
  answer: ServerResponse,
  behaviour: 'cut_after' | 'half' | 'mute' | ((body: string) => string) | undefined,
  onMute: () => void,
): void {
  const { hostname, port, host } = new URL(upstream)
  const onward = request(
    { hostname, port, path: asked.url, method: asked.method, headers: { ...asked.headers, host } },
    (told) => {
      const pieces: Buffer[] = []
      told.on('data', (piece: Buffer) => pieces.push(piece))
      told.on('end', () => {
        const body = Buffer.concat(pieces)
        const { 'transfer-encoding': _chunked, 'content-length': _length, ...headers } = told.headers
        if (behaviour === 'mute') return onMute()
        if (behaviour === 'cut_after') return void asked.socket.destroy()
        if (behaviour === 'half') {
          answer.writeHead(told.statusCode!, { ...headers, 'content-length': String(body.length) })
          answer.write(body.subarray(0, body.length / 2), () => asked.socket.destroy())
          return
        }
        answer.writeHead(told.statusCode!, headers)
        answer.end(behaviour === undefined ? body : behaviour(body.toString('utf8')))
      })
    },
  )
  onward.on('error', () => asked.socket.destroy())
  asked.pipe(onward)
}
