// A target of callouts on a real socket. The path of a request decides how the target misbehaves.
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'

/** Writes to the connection as it likes; the request has arrived whole. */
export type Behaviour = (socket: Socket, request: string) => void

export interface FaultyTarget {
  port: number
  /** The requests that arrived, whole. */
  readonly requests: string[]
  /** Connections that are open now, and all that were ever opened. */
  readonly open: Set<Socket>
  readonly connections: () => number
  readonly server: Server
  close(): Promise<void>
}

export function answer(
  status: number,
  body: string | Buffer = '',
  headers: Record<string, string> = {},
): Behaviour {
  return (socket) => {
    const bytes = Buffer.from(body)
    const lines = Object.entries({ 'content-length': String(bytes.length), ...headers }).map((line) =>
      line.join(': '),
    )
    socket.write(
      Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Text\r\n${lines.join('\r\n')}\r\n\r\n`), bytes]),
    )
  }
}

export const behaviours = {
  ok: answer(200, 'fine'),
  echo: (socket, request) => answer(200, request)(socket, request),
  hang: () => {},
  reset: (socket) => socket.resetAndDestroy(),
  end: (socket) => socket.end(),
  half: (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf')
    setTimeout(() => socket.destroy(), 20)
  },
  trickle: (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
    const timer = setInterval(() => socket.write('1\r\nx\r\n'), 20)
    socket.on('close', () => clearInterval(timer))
  },
  trickle_head: (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nx-long: ')
    const timer = setInterval(() => socket.write('x'), 20)
    socket.on('close', () => clearInterval(timer))
  },
  endless: (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
    const more = (): void => {
      while (!socket.destroyed && socket.write(`1000\r\n${'x'.repeat(4096)}\r\n`));
      if (!socket.destroyed) socket.once('drain', more)
    }
    more()
  },
  garbage: (socket) => socket.write('SSH-2.0-OpenSSH_9.9\r\n'),
  early_hints: (socket, request) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')
    answer(200, 'fine')(socket, request)
  },
} satisfies Record<string, Behaviour>

/** @param routes behaviours by path, besides those above */
export async function faultyTarget(
  routes: Record<string, Behaviour> = {},
  tls?: TlsOptions,
): Promise<FaultyTarget> {
  const all: Record<string, Behaviour> = { ...behaviours, ...routes }
  const requests: string[] = []
  const open = new Set<Socket>()
  let connections = 0
  const onSocket = (socket: Socket): void => {
    connections += 1
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => {})
    let received = ''
    socket.on('data', (piece) => {
      received += piece.toString('latin1')
      for (;;) {
        const head = received.indexOf('\r\n\r\n')
        if (head < 0) return
        const length = Number(/^content-length: (\d+)/im.exec(received.slice(0, head))?.[1] ?? 0)
        const end = head + 4 + length
        if (received.length < end) return
        const request = received.slice(0, end)
        received = received.slice(end)
        requests.push(request)
        const path = request.split(' ', 2)[1]!.split('?', 1)[0]!.slice(1)
        const behave = all[path] ?? behaviours.ok
        behave(socket, request)
      }
    })
  }
  const server = tls === undefined ? createTcpServer(onSocket) : createTlsServer(tls, onSocket)
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    open,
    connections: () => connections,
    server,
    close: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
