// Targets and authorisation servers that repeat what they receive, in every way in which a server can fail.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { marked } from './marks.ts'

export interface Peers {
  plain: string
  tls: string
  /** How many requests came with the certificate of the client. */
  certified(): number
  close(): void
}

export interface TlsFiles {
  cert: string
  key: string
  ca: string
}

/** What the last part of a path asks for. */
type Reaction = (request: { text: string; url: string }, response: ServerResponse) => void

const json = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

const reactions: Readonly<Record<string, Reaction>> = {
  ok: (_request, response) => response.writeHead(204).end(),
  echo: ({ text }, response) => response.writeHead(200, { 'x-echo': header(text) }).end(text),
  failing: ({ text }, response) =>
    response.writeHead(500, header(text), { 'x-echo': header(text) }).end(text),
  refusing: ({ text }, response) =>
    response.writeHead(401, { 'www-authenticate': `Bearer error="${header(text)}"` }).end(text),
  leading: ({ text }, response) =>
    response.writeHead(302, { location: `http://${header(text).slice(0, 60)}/` }).end(),
  hanging: () => undefined,
  resetting: (_request, response) => void response.socket!.destroy(),
  cutting: ({ text }, response) => {
    response.writeHead(200, { 'content-length': text.length * 2 })
    response.write(text)
    setTimeout(() => response.socket?.destroy(), 20)
  },
  // Authorisation servers.
  token: (_request, response) =>
    json(response, 200, {
      ...{ access_token: marked('access'), token_type: 'Bearer', expires_in: 3600 },
      refresh_token: marked('refresh'),
    }),
  brief: (_request, response) =>
    json(response, 200, {
      access_token: marked('access'),
      token_type: 'Bearer',
      expires_in: 1,
      refresh_token: marked('refresh'),
    }),
  denied: ({ text }, response) => json(response, 400, { error: 'invalid_client', error_description: text }),
  odd: ({ text }, response) => json(response, 400, { error: text, error_description: text }),
  unreadable: ({ text }, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(`{"access_token":"${marked('access')}","x":${text}`),
}

export const behaviours = Object.keys(reactions).slice(0, 8)

const header = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, ' ').slice(0, 4000)

export async function startPeers(files: TlsFiles): Promise<Peers> {
  let certified = 0
  const handle: RequestListener = (request: IncomingMessage, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const url = request.url ?? ''
      const name = url.split('?')[0]!.split('/').at(-1)!
      if ((request.socket as TLSSocket).authorized === true) certified += 1
      const text = `${url}\n${JSON.stringify(request.headers)}\n${Buffer.concat(pieces).toString()}`
      // What a remote is asked for fails, so that its response is in an error.
      const react =
        reactions[name] ?? reactions[/^\/(setup|oauth2|session|metadata)\//.test(url) ? 'failing' : 'ok']!
      react({ text, url }, response)
    })
    request.on('error', () => undefined)
  }
  const plain = createServer(handle)
  const tls = createTlsServer({ ...files, requestCert: true, rejectUnauthorized: false }, handle)
  for (const server of [plain, tls]) await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const portOf = (server: Server): number => (server.address() as AddressInfo).port
  return {
    ...{ plain: `http://127.0.0.1:${portOf(plain)}`, tls: `https://127.0.0.1:${portOf(tls)}` },
    certified: () => certified,
    close: () => {
      plain.closeAllConnections()
      tls.closeAllConnections()
      plain.close()
      tls.close()
    },
  }
}
