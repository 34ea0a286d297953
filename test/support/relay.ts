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
  const server = createServer((request, answer) => {
    const line = `${request.method} ${request.url}`
    bearer = request.headers.authorization?.replace('Bearer ', '') ?? bearer
    const rule = rules.find(({ at, left }) => left > 0 && at.test(line))
    if (rule !== undefined) rule.left -= 1
    const behaviour = rule?.behaviour
    if (behaviour === 'hang') {
      request.resume()
      return leave(line)
    }
    if (behaviour === 'cut') return void request.socket.destroy()
    if (behaviour === 'drip' || behaviour === 'drip_head') return drip(request, answer, behaviour)
    if (behaviour === 'echo') return echo(request, answer)
    if (typeof behaviour === 'object') {
      request.resume()
      const { status, headers = { 'content-type': 'application/json' }, body = '' } = behaviour
      return void answer.writeHead(status, headers).end(body)
    }
    passed.push(line)
    forward(upstream, request, answer, behaviour, () => leave(line))
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

function drip(request: IncomingMessage, answer: ServerResponse, what: 'drip' | 'drip_head'): void {
  request.resume()
  if (what === 'drip') answer.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
  else request.socket.write('HTTP/1.1 200 OK\r\nx-slow: ')
  const timer = setInterval(() => (what === 'drip' ? answer.write(' ') : request.socket.write('x')), 100)
  request.socket.on('close', () => clearInterval(timer))
}

function echo(request: IncomingMessage, answer: ServerResponse): void {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    const authorization = `${request.headers['authorization'] ?? ''} ${Buffer.concat(pieces).toString('utf8')}`
    const secret = authorization.replace('Bearer ', '')
    const forms = [
      authorization,
      encodeURIComponent(secret),
      Buffer.from(authorization).toString('hex'),
    ].join(' ')
    const body = JSON.stringify({
      code: 'access.denied',
      detail: forms,
      correlationId: authorization,
      details: [{ told: authorization, list: [authorization] }],
    })
    answer.writeHead(403, { 'content-type': 'application/json', 'x-correlation-id': 'theirs' }).end(body)
  })
}

function forward(
  upstream: string,
  incoming: IncomingMessage,
  answer: ServerResponse,
  behaviour: 'cut_after' | 'half' | 'mute' | ((body: string) => string) | undefined,
  onMute: () => void,
): void {
  const { hostname, port, host } = new URL(upstream)
  const onward = request(
    { hostname, port, path: incoming.url, method: incoming.method, headers: { ...incoming.headers, host } },
    (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () => {
        const body = Buffer.concat(pieces)
        const { 'transfer-encoding': _chunked, 'content-length': _length, ...headers } = response.headers
        if (behaviour === 'mute') return onMute()
        if (behaviour === 'cut_after') return void incoming.socket.destroy()
        if (behaviour === 'half') {
          answer.writeHead(response.statusCode!, { ...headers, 'content-length': String(body.length) })
          answer.write(body.subarray(0, body.length / 2), () => incoming.socket.destroy())
          return
        }
        answer.writeHead(response.statusCode!, headers)
        answer.end(behaviour === undefined ? body : behaviour(body.toString('utf8')))
      })
    },
  )
  onward.on('error', () => incoming.socket.destroy())
  incoming.pipe(onward)
}
