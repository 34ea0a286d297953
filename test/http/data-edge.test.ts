// The data API before Express: every request gets the same response as through Express. A URL with an escaped character
// goes through Express, and means the same.
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apply } from '../support/billing-org.ts'
import { runningServer, type TestServer } from '../support/running-server.ts'

interface Sent {
  method?: string
  /** Below `/data/v3`. `@` is before the letter that is escaped; at the end, the URL is sent in its whole form. */
  path: string
  prefix?: string
  headers?: Record<string, string | undefined>
  body?: string | Buffer
}

interface Received {
  status: number
  headers: Record<string, string>
  body: string
}

let test: TestServer
let token = ''
let id = ''
beforeAll(async () => {
  test = await runningServer({ limitsClients: true })
  const client = {
    ...{ type: 'integration_client', key: 'ada', label: 'Ada' },
    body: { authScheme: 'oauth2_client_credentials', runAs: 'ada', rateLimit: { burst: 400 } },
  }
  const reader = {
    ...{ type: 'permission_set', key: 'reader', label: 'Reader' },
    body: {
      objects: {
        note: { create: true, read: true, update: true, delete: true, viewAll: true, modifyAll: true },
      },
      fields: { 'note.title': { edit: true } },
    },
  }
  const object = (key: string): object => ({
    ...{ type: 'object', key, label: key },
    body: {
      ...{ storage: 'local', nameField: 'title' },
      fields: ['title', 'secret'].map((name) => ({ key: name, type: 'text' })),
    },
  })
  await apply(test.studio, [object('note'), object('other'), reader])
  await test.studio('POST', '/setup/v3/users', { key: 'ada', name: 'Ada', permissionSets: ['reader'] })
  await apply(test.studio, [client])
  const by = { actor: 'admin', correlationId: 'c', isOperator: true }
  token = (await test.beside(({ access }) => access.issueToken(by, 'ada'))).token
  const made = await test.bearer(token)<{ id: string }>('POST', '/data/v3/note', { title: 'One' })
  id = made.body.id
})
afterAll(() => test.close())

/** Without the help of a client, which would refuse to send some of these. */
function send({
  method = 'GET',
  path,
  prefix = '/data/v3',
  headers = {},
  body = '',
}: Sent): Promise<Received> {
  const { hostname, port } = new URL(test.url)
  const length = body.length === 0 ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const all = {
    ...{ host: `${hostname}:${port}`, authorization: `Bearer ${token}`, connection: 'close' },
    ...(body.length === 0 ? {} : { 'content-type': 'application/json' }),
    ...length,
    ...headers,
  }
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}\r\n`],
  )
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${method} ${prefix}${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
      socket.write(body)
    })
    const pieces: Buffer[] = []
    socket.on('data', (piece) => pieces.push(piece))
    socket.on('error', reject)
    socket.on('close', () =>
      resolve(
        received(
          Buffer.concat(pieces)
            .toString()
            .replace(/^HTTP\/1.1 100 Continue\s+/, ''),
        ),
      ),
    )
  })
}

function received(text: string): Received {
  const end = text.indexOf('\r\n\r\n')
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = lines.map((line) => line.split(/: (.*)/s, 2) as [string, string])
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: text.slice(end + 4),
  }
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Without what differs between any two requests, and with the plain path. */
function comparable({ status, headers, body }: Received, path: string, plain: string): Received {
  const kept = Object.entries(headers).filter(
    ([name]) => !['Date', 'X-Almanac-Position', 'RateLimit', 'Content-Length'].includes(name),
  )
  const text = (value: string): string =>
    value
      .replaceAll('/data/v%33', '/data/v3')
      .replaceAll(`/data/v3${path}`, `/data/v3${plain}`)
      .replaceAll(uuid, '<id>')
  return {
    status,
    headers: Object.fromEntries(kept.map(([name, value]) => [name, text(value)])),
    body: text(body),
  }
}

/** Returns the response that both ways give; each body can be different, as for unique values. */
async function sendBothWays(sent: Sent, other: Partial<Sent> = {}): Promise<Received> {
  const { path } = sent
  const plain = path.replace(/@(\w?)/, '$1')
  const escaped = path.replace(/@(\w?)/, (_all, letter: string) =>
    letter === '' ? '' : `%${letter.charCodeAt(0).toString(16)}`,
  )
  // Of a URL without parameters, the whole form is not plain either.
  const prefix = escaped === plain ? `${new URL(test.url).origin}/data/v3` : '/data/v3'
  const direct = await send({ ...sent, path: plain })
  const express = await send({ ...sent, path: escaped, prefix, ...other })
  const shown = `${sent.method ?? 'GET'} ${path} ${JSON.stringify(sent.headers)} ${String(sent.body).slice(0, 80)}`
  const [shorter, longer] = [plain, escaped].map((each) => each.split('?')[0]!) as [string, string]
  expect(comparable(direct, shorter, shorter), shown).toEqual(comparable(express, longer, shorter))
  expect(Object.keys(direct.headers).toSorted(), shown).toEqual(Object.keys(express.headers).toSorted())
  return direct
}

const bodyOf = ({ body }: Received): Record<string, unknown> => JSON.parse(body) as Record<string, unknown>

describe('the data API before Express', () => {
  it('reads as through Express, with the same headers', async () => {
    const read = await sendBothWays({ path: `/@note/${id}` })
    expect([read.status, read.headers['ETag'], read.headers['Cache-Control']]).toEqual([
      200,
      '"1"',
      'private, no-store',
    ])
    expect(bodyOf(read)['fields']).toMatchObject({ title: 'One', secret: null })
    expect(read.headers['Content-Security-Policy']).toContain("default-src 'none'")
    expect(read.headers['RateLimit']).toMatch(/^"client";r=\d+;t=\d+$/)
    expect(read.headers['X-Almanac-Position']).toBeTruthy()
    for (const path of [
      '@',
      '/@note/describe',
      `/@note/${id}/history`,
      `/@note/${id}/values/title`,
      `/@note/${id}?fields=title`,
    ])
      expect((await sendBothWays({ path })).status, path).toBe(200)
  })

  it('refuses a read as through Express', async () => {
    const statuses: Record<string, number> = {
      ['/@nothing/describe']: 404,
      [`/@nothing/${id}`]: 404,
      [`/@other/${id}`]: 404,
      ['/@note/00000000-0000-7000-8000-000000000000']: 404,
      ['/@note/not-an-id']: 404,
      [`/@note/${id}?fields=nothing`]: 422,
      [`/@note/${id}?fields=a&fields=b`]: 400,
      [`/@note/${id}?colour=red`]: 400,
      [`/@note/${id}?fields=%ff`]: 422,
      [`/@note/${id}/values/nothing`]: 422,
      [`/@note/${id}/nothing`]: 404,
      [`/@${'x'.repeat(300)}/${id}`]: 400,
      [`/@${'x'.repeat(20_000)}/${id}`]: 413,
    }
    for (const [path, status] of Object.entries(statuses))
      expect((await sendBothWays({ path })).status, path.slice(0, 60)).toBe(status)
  })

  it('identifies the caller as through Express', async () => {
    const path = `/@note/${id}`
    const cases: [Record<string, string | undefined>, number][] = [
      [{ authorization: undefined }, 401],
      [{ authorization: 'Bearer wrong' }, 401],
      [{ authorization: 'Basic YWRhOg==' }, 401],
      [{ 'x-api-key': 'almanac_key_wrong', authorization: undefined }, 401],
      [{ 'x-api-key': 'almanac_key_wrong' }, 401],
      [{ cookie: test.cookie, authorization: undefined }, 404],
      [{ cookie: test.cookie, authorization: undefined, 'x-view-as': 'ada' }, 200],
      [{ 'x-view-as': 'admin' }, 403],
      [{ 'x-app': 'nothing' }, 400],
      [{ 'accept-language': 'de-AT, *;q=0.1' }, 200],
      [{ 'x-almanac-position': 'wrong' }, 400],
    ]
    for (const [headers, status] of cases)
      expect((await sendBothWays({ path, headers })).status, JSON.stringify(headers)).toBe(status)
  })

  it('checks hosts, origins, headers and correlation ids as through Express', async () => {
    const path = `/@note/${id}`
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`x-${at}`, '1']))
    const cases: [Sent, number][] = [
      [{ path, headers: { host: 'evil.example' } }, 403],
      [{ path, headers: { host: undefined } }, 403],
      [{ path, headers: { expect: 'something' } }, 400],
      [{ path, headers: { expect: '100-continue' } }, 200],
      [{ path, headers: many }, 413],
      [{ path, headers: { 'x-correlation-id': 'mine-1' } }, 200],
      [{ path, headers: { 'x-correlation-id': 'not valid' } }, 200],
      [{ method: 'POST', path: '/@note', headers: { origin: 'http://evil.example' }, body: '{}' }, 403],
      [
        {
          method: 'POST',
          path: '/@note',
          headers: { cookie: 'a=b', authorization: undefined },
          body: '{}',
        },
        403,
      ],
      [{ path, headers: { origin: 'http://evil.example' } }, 200],
    ]
    for (const [sent, status] of cases)
      expect((await sendBothWays(sent)).status, JSON.stringify(sent).slice(0, 200)).toBe(status)
  })

  it('responds to conditional requests and to other methods as through Express', async () => {
    const path = `/@note/${id}`
    const cases: [Sent, number][] = [
      [{ path, headers: { 'if-none-match': '"1"' } }, 304],
      [{ path, headers: { 'if-none-match': '"2"' } }, 200],
      [{ path, headers: { 'if-modified-since': 'Tue, 01 Jan 2030 00:00:00 GMT' } }, 200],
      [{ path, method: 'HEAD' }, 200],
      [{ path, method: 'OPTIONS' }, 204],
      [{ path, method: 'PUT', body: '{}' }, 405],
      [{ path: '/@note', method: 'GET' }, 405],
      [{ path: '/query@', method: 'GET' }, 405],
      [{ path, method: 'PATCH', body: '{}' }, 428],
      [{ path, method: 'PATCH', body: '{}', headers: { 'if-match': '"7"' } }, 412],
      [{ path, method: 'PATCH', body: '{}', headers: { 'if-match': 'x' } }, 400],
      [{ path, method: 'DELETE', headers: { 'if-match': '"7"' } }, 412],
    ]
    for (const [sent, status] of cases)
      expect((await sendBothWays(sent)).status, `${sent.method} ${JSON.stringify(sent.headers)}`).toBe(status)
  })

  it('reads bodies of all kinds as through Express', async () => {
    const post = { method: 'POST', path: '/@note' }
    const valid = JSON.stringify({ title: 'Two' })
    const cases: [Sent, number][] = [
      [{ ...post, body: valid }, 201],
      [{ ...post, body: gzipSync(valid), headers: { 'content-encoding': 'gzip' } }, 201],
      [{ ...post, body: 'abc', headers: { 'content-encoding': 'gzip' } }, 400],
      [{ ...post, body: valid, headers: { 'content-encoding': 'zstd' } }, 415],
      [{ ...post, body: valid, headers: { 'content-type': 'text/plain' } }, 415],
      [{ ...post, body: valid, headers: { 'content-type': undefined } }, 415],
      [{ ...post, body: valid, headers: { 'content-type': 'application/json; charset=latin1' } }, 415],
      [{ ...post, body: '{"title": "Two",}' }, 400],
      [{ ...post, body: '{"title": "1", "title": "2"}' }, 400],
      [{ ...post, body: Buffer.from('{"title": "\xff"}', 'latin1') }, 400],
      [{ ...post, body: '[]' }, 400],
      [{ ...post, body: '{"colour": "red"}' }, 422],
      [{ ...post }, 400],
      [{ ...post, body: JSON.stringify({ title: 'x'.repeat(1024 * 1024) }) }, 413],
      [{ method: 'POST', path: `/@note/batch`, body: '{"records": [{"op": "insert", "fields": {}}]}' }, 200],
      [{ method: 'POST', path: `/@note/batch`, body: '{"records": 7}' }, 400],
      [{ method: 'POST', path: `/@note/${id}/recompute`, headers: { 'if-match': '"7"' } }, 412],
      [{ method: 'POST', path: '/query@', body: '{"object": "note", "fields": ["title"]}' }, 200],
      [{ method: 'POST', path: '/@note/search', body: '{"text": "T", "fields": ["title"]}' }, 200],
    ]
    for (const [sent, status] of cases)
      expect((await sendBothWays(sent)).status, String(sent.body).slice(0, 80)).toBe(status)
  })

  it('repeats the response to an idempotency key as through Express', async () => {
    const body = JSON.stringify({ title: 'Three' })
    const keyed = (key: string): Partial<Sent> => ({ headers: { 'idempotency-key': key } })
    const post = { method: 'POST', path: '/@note', body }
    const first = await sendBothWays({ ...post, ...keyed('a') }, keyed('b'))
    const second = await sendBothWays({ ...post, ...keyed('a') }, keyed('b'))
    expect(bodyOf(second)['id']).toBe(bodyOf(first)['id'])
    const conflict = await sendBothWays({ ...post, body: '{"title": "Four"}', ...keyed('a') })
    expect(bodyOf(conflict)['code']).toBe('conflict.idempotency_key')
  })

  it('counts requests under the same route as through Express', async () => {
    const count = async (): Promise<number> => {
      const { text } = await test.plain('GET', '/metrics')
      const line = /\{method="GET",route="\/data\/v3\/\{object\}\/\{id\}",status="200"\} (\d+)/.exec(text)
      return Number(line?.[1] ?? 0)
    }
    const before = await count()
    await sendBothWays({ path: `/@note/${id}` })
    expect((await count()) - before).toBe(2)
  })

  it('frees the place of a client whose request is aborted', async () => {
    const { hostname, port } = new URL(test.url)
    const head = `POST /data/v3/note HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${token}\r\n`
    for (let at = 0; at < 30; at += 1)
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () => {
          socket.write(`${head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{`, () =>
            setTimeout(() => socket.destroy(), 5),
          )
        })
        socket.on('close', () => resolve())
      })
    const { body } = await test.studio<{ clients: { key: string; running: number }[] }>(
      'GET',
      '/setup/v3/clients',
    )
    await expect.poll(() => body.clients.find(({ key }) => key === 'ada')!.running).toBe(0)
    expect((await send({ path: `/note/${id}` })).status).toBe(200)
  })
})
