// What Node's HTTP parser refuses has the error envelope, like every other refusal.
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorCatalogue, type ErrorCode } from '../../server/kernel/errors/catalogue.ts'
import { respondToRefusedRequests } from '../../server/http/refused-requests.ts'
import { silentLog } from '../../server/http/log.ts'
import { runningServer, type TestServer } from '../support/running-server.ts'

let test: TestServer
beforeAll(async () => {
  test = await runningServer()
})
afterAll(() => test.close())

/** Everything that the server sends until it closes the connection. */
function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    socket.on('close', () => resolve(text)).on('error', reject)
  })
}

function expectProblem(text: string, code: ErrorCode, detail: RegExp): void {
  const { status, title } = errorCatalogue[code]
  const [head = '', body = ''] = text.split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(head).toMatch(/^content-type: application\/problem\+json/im)
  expect(head).toMatch(/^cache-control: no-store/im)
  expect(head).toMatch(/^connection: close/im)
  const [, correlationId] = /^x-correlation-id: (.+)$/im.exec(head) ?? []
  expect(JSON.parse(body)).toMatchObject({
    ...{ type: `urn:almanac:problem:${code}`, code, status, title, correlationId },
    ...{ origin: 'api.request', detail: expect.stringMatching(detail) as string },
  })
}

describe('the server', () => {
  const long = 'x'.repeat(20_000)
  const many = Array.from({ length: 101 }, (_, at) => `x-${at}: 1`).join('\r\n')
  const end = 'connection: close\r\n\r\n'
  it.each<[string, string, ErrorCode, RegExp]>([
    ['a URL that is too long', `GET /${long} HTTP/1.1\r\nhost: a\r\n\r\n`, 'request.too_large', /16 KiB/],
    ['a long header', `GET / HTTP/1.1\r\nhost: a\r\nx: ${long}\r\n\r\n`, 'request.too_large', /16 KiB/],
    [
      'many headers',
      `GET / HTTP/1.1\r\nhost: a\r\n${many}\r\n${end}`,
      'request.too_large',
      /than 100 headers/,
    ],
    ['an unknown method', 'NOTHING / HTTP/1.1\r\n\r\n', 'request.malformed', /not valid HTTP: .+\./],
    ['an invalid header', 'GET / HTTP/1.1\r\nhost: a\r\n: x\r\n\r\n', 'request.malformed', /not valid HTTP/],
    ['no host', `GET / HTTP/1.1\r\n${end}`, 'auth.forbidden_origin', /is not a host name/],
    [
      'an unsupported expectation',
      'POST / HTTP/1.1\r\nhost: a\r\nexpect: luck\r\ncontent-length: 1\r\n\r\n',
      ...(['request.malformed', /100-continue/] as const),
    ],
    [
      'an invalid chunk of a body',
      'POST /session/password HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nno\r\n',
      ...(['request.malformed', /not valid HTTP/] as const),
    ],
  ])('refuses %s', async (_, bytes, code, detail) => {
    const { host, port } = new URL(test.url)
    expectProblem(await exchange(Number(port), bytes.replace('{host}', host)), code, detail)
  })

  it('accepts as many headers as it allows, and the expectation of every client', async () => {
    const { host, port } = new URL(test.url)
    const headers = Array.from({ length: 97 }, (_, at) => `x-${at}: 1`).join('\r\n')
    const request = `GET /healthz HTTP/1.1\r\nhost: ${host}\r\nexpect: 100-continue\r\n${headers}\r\n${end}`
    expect(await exchange(Number(port), request)).toMatch(/^HTTP\/1\.1 100 [^]*HTTP\/1\.1 200 /)
  })
})

describe('a server with short limits', () => {
  const server = createServer({ connectionsCheckingInterval: 20 })
  server.headersTimeout = 100
  server.requestTimeout = 400
  const ids = { uuid: () => 'fixed' }
  server.on('request', (request, response) => {
    if (request.url === '/begun') response.write('begun')
    request.resume()
  })
  respondToRefusedRequests(server, { ids: ids as never, log: silentLog })
  const port = (): number => (server.address() as AddressInfo).port
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => server.close())

  it.each([
    ['headers', 'GET / HTTP/1.1\r\nhost: a\r\n'],
    ['a body', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\n\r\nx'],
  ])('refuses %s that arrive too slowly', async (_, bytes) => {
    expectProblem(await exchange(port(), bytes), 'limit.slow_request', /within 0\.1 seconds.*0\.4 seconds/)
  })

  it('adds nothing to a response that has begun', async () => {
    const text = await exchange(port(), 'POST /begun HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\n\r\nx')
    expect(text).toContain('begun')
    expect(text).not.toContain('urn:almanac')
  })
})
