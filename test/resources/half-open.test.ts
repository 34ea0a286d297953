// Ten thousand connections that begin a request and never end it.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { breaches } from './bounds.ts'
import { measuredServer, type MeasuredServer } from './measured-server.ts'

const count = 10_000
/** Connections that are opened at once: more would wait in the queue of the system. */
const atOnce = 100
/** The server gives the headers 15 seconds, and looks every 5. */
const endedWithinMs = 60_000

let server: MeasuredServer
beforeAll(async () => {
  server = await measuredServer()
})
afterAll(() => server.close())

/** The bytes of a request without its end. */
const beginnings = [
  '',
  'GET /metadata/v3/generations HT',
  'POST /data/v3/query HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n',
]

async function halfOpen(port: number, bytes: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(bytes)
  // The response to a request that is too slow is not read otherwise, and the connection stays.
  socket.resume()
  return socket
}

it('10,000 half-open connections delay no other user, and are closed', { timeout: 180_000 }, async () => {
  const port = Number(new URL(server.url).port)
  const sockets: Socket[] = []
  const [replies, measured] = await server.watched(async () => {
    const statuses: number[] = []
    while (sockets.length < count) {
      const batch = Array.from({ length: atOnce }, (_, at) => halfOpen(port, beginnings[at % beginnings.length]!))
      sockets.push(...(await Promise.all(batch)))
      if (sockets.length % 1000 > 0) continue
      const { status } = await fetch(`${server.url}/metadata/v3/generations`, {
        headers: { cookie: server.cookie },
      })
      statuses.push(status)
    }
    return statuses
  })
  expect(replies).toEqual(Array.from({ length: 10 }, () => 200))
  expect(breaches({ ...measured, status: 200, code: '', ms: 0, bytes: 0, json: null })).toEqual([])
  await expect
    .poll(() => sockets.filter(({ closed }) => !closed).length, { timeout: endedWithinMs, interval: 500 })
    .toBe(0)
  await expect(server.ask('GET', '/metadata/v3/generations')).resolves.toBeDefined()
})
