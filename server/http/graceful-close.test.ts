import { once } from 'node:events'
import {
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { gracefulClose } from './graceful-close.ts'

const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

let server: Server
afterEach(() => server.close())

type Close = () => Promise<void>

async function serving(
  listener: RequestListener,
  options: Parameters<typeof gracefulClose>[1] = {},
): Promise<Close> {
  server = createServer(listener)
  const close = gracefulClose(server, options)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return close
}

async function connected(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

/** What a connection receives before it ends. */
async function received(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('utf8').on('data', (piece: string) => (text += piece))
  socket.on('error', () => undefined)
  await once(socket, 'close')
  return text
}

function block(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}

describe('a server that closes', () => {
  it('responds to a request that has arrived and was not read', async () => {
    const close = await serving((_, response) => response.end('done'))
    const socket = await connected()
    const text = received(socket)
    socket.write(request)
    await close()
    expect(await text).toContain('done')
  })

  it('ends connections without a request immediately', async () => {
    const close = await serving((_, response) => response.end())
    const socket = await connected()
    const text = received(socket)
    const started = performance.now()
    await close()
    expect(await text).toBe('')
    expect(performance.now() - started).toBeLessThan(2000)
  })

  it('ends connections over TLS without a handshake immediately', async () => {
    server = createSecureServer((_, response) => response.end())
    const close = gracefulClose(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const accepted = once(server, 'connection')
    const text = received(await connected())
    await accepted
    const started = performance.now()
    await close()
    expect(await text).toBe('')
    expect(performance.now() - started).toBeLessThan(2000)
  })

  it('cuts the connections only some time after the last moment, even if the machine is busy', async () => {
    let respond = (): void => undefined
    const close = await serving((_, response) => (respond = () => void response.end('refused')), {
      times: { graceMs: 200, lastMomentMs: 200 },
      // The response takes a few turns.
      onLastMoment: () => setTimeout(() => respond(), 50),
    })
    const socket = await connected()
    const text = received(socket)
    socket.write(request)
    const closed = close()
    setTimeout(() => block(600), 100)
    await closed
    expect(await text).toContain('refused')
  })

  it('responds as a whole to a request whose body it does not read', async () => {
    let respond = (): void => undefined
    const arrived = Promise.withResolvers<void>()
    const close = await serving((_, response) => {
      respond = () => void response.writeHead(503).end('x'.repeat(300_000))
      arrived.resolve()
    })
    const { port } = server.address() as AddressInfo
    const upload = sendRequest({ port, method: 'POST', headers: { 'content-length': 50_000_000 } })
    upload.on('error', () => undefined)
    upload.write(Buffer.alloc(10_000_000))
    await arrived.promise
    const closed = close()
    await new Promise((resolve) => setTimeout(resolve, 50))
    respond()
    const [response] = (await once(upload, 'response')) as [IncomingMessage]
    let text = ''
    for await (const piece of response.setEncoding('utf8')) text += piece
    upload.destroy()
    expect([response.statusCode, text.length]).toEqual([503, 300_000])
    await closed
  })

  it('cuts a connection whose response takes too long', async () => {
    const close = await serving(() => undefined, { times: { graceMs: 50, lastMomentMs: 50 } })
    const socket = await connected()
    const text = received(socket)
    socket.write(request)
    await close()
    expect(await text).toBe('')
  })
})
