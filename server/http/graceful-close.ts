// Closes the server gracefully: idle connections immediately, the others after their response.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'

export interface ClosingTimes {
  /** Wait for responses before `onLastMoment`, in milliseconds. */
  graceMs: number
  /** Wait for responses after it. */
  lastMomentMs: number
}

interface CloseOptions {
  times?: ClosingTimes | undefined
  /** Called when the responses have taken too long: what still waits can then be answered. */
  onLastMoment?: () => void
}

const defaultTimes: ClosingTimes = { graceMs: 2500, lastMomentMs: 500 }
/** Turns of the event loop in which connections are accepted, requests are read, and their responses begin. */
const arrivalTurns = 3

/** Call before the server listens. Returns a function that closes it. */
export function gracefulClose(
  server: Server,
  { times = defaultTimes, onLastMoment = () => undefined }: CloseOptions = {},
): () => Promise<void> {
  const sockets = new Set<Socket>()
  const running = new Map<Socket, number>()
  let closing = false
  // closeIdleConnections of Node does not close connections that have not sent a request yet.
  const endIdle = (socket: Socket): void => {
    if (!running.has(socket)) socket.destroy()
  }
  const isSecure = 'setSecureContext' in server
  // Over TLS, requests refer to the secure socket.
  server.on(isSecure ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const endHandshakes = isSecure ? followHandshakes(server) : () => undefined
  server.on('request', (request, response) => {
    const { socket } = request
    running.set(socket, (running.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const left = (running.get(socket) ?? 1) - 1
      if (left > 0) running.set(socket, left)
      else running.delete(socket)
      if (!closing) return
      // Bytes of a body that was not read would reset the connection, and with it what the client has not received.
      if (request.complete) endIdle(socket)
      else socket.end()
    })
  })
  return async () => {
    // After a turn that was busy for long, requests have arrived that are not read yet.
    for (let turn = 0; turn < arrivalTurns; turn += 1) await setImmediate()
    closing = true
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const socket of sockets) endIdle(socket)
    endHandshakes()
    const ended = new AbortController()
    const cut = cutAfter(ended.signal)
    await closed
    ended.abort()
    await cut
  }

  /** One wait begins when the other is over: both could be over at once on a busy machine. */
  async function cutAfter(signal: AbortSignal): Promise<void> {
    try {
      await setTimeout(times.graceMs, undefined, { signal })
      onLastMoment()
      await setTimeout(times.lastMomentMs, undefined, { signal })
      server.closeAllConnections()
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
}

/** Returns a function that ends the connections that have not become secure yet: the server waits for them too. */
function followHandshakes(server: Server): () => void {
  const open = new Map<string, Socket>()
  const placeOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`
  server.on('connection', (socket: Socket) => {
    const place = placeOf(socket)
    open.set(place, socket)
    socket.once('close', () => {
      if (open.get(place) === socket) open.delete(place)
    })
  })
  server.on('secureConnection', (socket: Socket) => open.delete(placeOf(socket)))
  return () => {
    for (const socket of open.values()) socket.destroy()
  }
}
