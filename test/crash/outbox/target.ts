// The target of the calls. Records every request, fails in every way at random, and counts as the owner of a target would.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { credentials, kinds, timeoutMs } from './org.ts'

export interface Received {
  /** `<action> <number> <turn>` */
  call: string
  credential: keyof typeof credentials
  key: string | undefined
  /** In milliseconds of the moved clock. */
  at: number
  /** The status that was sent; null until then, or without one. */
  status: number | null
  isOpen: boolean
}

export interface Target {
  url: string
  /** In the order of their arrival. */
  readonly received: readonly Received[]
  /** What went beyond a limit while it happened. */
  readonly faults: string[]
  /** From now on, all requests fail with status 500. */
  fail(): void
  /** From now on, all requests succeed. */
  recover(): void
  close(): void
}

type Respond = (response: ServerResponse) => void | Promise<void>

const ok: Respond = (response) => void response.writeHead(204).end()
const serverError: Respond = (response) => void response.writeHead(500).end('{}')
const bad: readonly Respond[] = [
  serverError,
  (response) => void response.writeHead(429, { 'retry-after': '1' }).end(),
  (response) => void response.writeHead(400).end(),
  (response) => void response.destroy(),
  // Longer than the caller waits, and then it ends: a caller that is stopped does not close its connections.
  async (response) => {
    await wait(2 * timeoutMs)
    response.destroy()
  },
  async (response) => {
    await wait(Math.random() * timeoutMs)
    response.writeHead(200).end('late')
  },
  async (response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('half')
    await wait(10)
    response.destroy()
  },
]

/** @param now of the moved clock */
export async function startTarget(now: () => number): Promise<Target> {
  const received: Received[] = []
  const faults: string[] = []
  let share = 0.35
  let faulty = bad
  const server: Server = createServer((request, response) => {
    const entry = receive(request, response, now())
    received.push(entry)
    void checkConcurrency(received, entry, faults)
    const isBad = Math.random() < share
    const respond = isBad ? faulty[Math.floor(Math.random() * faulty.length)]! : ok
    request.resume().on('end', () => void respond(response))
  })
  server.listen(0, '127.0.0.1')
  await new Promise((ready) => server.on('listening', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    faults,
    fail: () => {
      share = 1
      faulty = [serverError]
    },
    recover: () => (share = 0),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function receive(request: IncomingMessage, response: ServerResponse, at: number): Received {
  const [action = '', number, turn] = request.url!.slice(1).split('/')
  const entry: Received = {
    ...{ call: `${action} ${number} ${turn}`, credential: kinds[action]!.credential },
    ...{ key: request.headers['idempotency-key'] as string | undefined, at, status: null, isOpen: true },
  }
  response.on('finish', () => (entry.status = response.statusCode))
  response.on('close', () => (entry.isOpen = false))
  return entry
}

/** A connection that the caller has closed just before can be noticed after a request of the next one. */
async function checkConcurrency(
  received: readonly Received[],
  entry: Received,
  faults: string[],
): Promise<void> {
  const { credential } = entry
  const limit = credentials[credential].budget.concurrency
  const open = received.filter((each) => each.isOpen && each.credential === credential)
  if (open.length <= limit) return
  await new Promise((turn) => setImmediate(turn))
  const still = open.filter(({ isOpen }) => isOpen).length
  if (still > limit) faults.push(`${still} calls of ${credential} at the same time, not ${limit}`)
}
