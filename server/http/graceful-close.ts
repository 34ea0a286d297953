// Closes the server gracefully: idle connections immediately, the others after their response.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

interface CloseOptions {
  /** Longest wait for responses, in milliseconds. */
  graceMs?: number
  /** Called shortly before the end of the wait: what waits until then can still be answered. */
  onLastMoment?: () => void
}

/** Time for answers after `onLastMoment`, in milliseconds. */
const lastMomentMs = 500

/** Call before the server listens. Returns a function that closes it. */
export function gracefulClose(
  server: Server,
  { graceMs = 3000, onLastMoment = () => undefined }: CloseOptions = {},
): () => Promise<void> {
  const sockets = new Set<Socket>()
  const running = new Map<Socket, number>()
  let closing = false
  // closeIdleConnections of Node does not close connections that have not sent a request yet.
  const endIdle = (socket: Socket): void => {
    if (!running.has(socket)) socket.destroy()
  }
  // Over TLS, requests refer to the secure socket.
  server.on('setSecureContext' in server ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    running.set(socket, (running.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const left = (running.get(socket) ?? 1) - 1
      if (left > 0) running.set(socket, left)
      else running.delete(socket)
      if (closing) endIdle(socket)
    })
  })
  return () =>
    new Promise((resolve) => {
      closing = true
      const lastMoment = setTimeout(onLastMoment, graceMs - lastMomentMs)
      const cut = setTimeout(() => server.closeAllConnections(), graceMs)
      server.close(() => {
        clearTimeout(lastMoment)
        clearTimeout(cut)
        resolve()
      })
      for (const socket of sockets) endIdle(socket)
    })
}
