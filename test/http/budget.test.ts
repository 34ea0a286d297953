// Every request has a budget: bytes after inflation, values, time, memory, and a share of the workers.
import { connect } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { budgetsOf, defaultBudget } from '../../server/http/budget.ts'
import { routes } from '../../server/http/routes/index.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'
import { everything, readerClient } from '../support/small-org.ts'

let test: TestServer
beforeAll(async () => {
  test = await runningServer()
})
afterAll(() => test.close())

async function send(path: string, body: Uint8Array, headers: Record<string, string> = {}) {
  const response = await fetch(`${test.url}${path}`, {
    method: 'POST',
    headers: { cookie: test.cookie, origin: test.url, 'content-type': 'application/json', ...headers },
    body: body as BodyInit,
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const encoders = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }
const ones = (count: number): Buffer => Buffer.from(`{"components":[${'1,'.repeat(count - 1)}1]}`)

describe('a compressed body', () => {
  it.each(Object.entries(encoders))('in %s is read', async (encoding, encode) => {
    const body = encode(Buffer.from('{"components":[1]}'))
    const { status, body: answer } = await send('/metadata/v3/validate', body, {
      'content-encoding': encoding,
    })
    expect([status, answer['total']]).toEqual([200, 1])
  })

  it.each<[string, number[], number]>([
    ['zeros', [0, 0, 0], 200],
    ['zeros and more', [0, 65, 0], 400],
    ['more', [65], 400],
  ])('in gzip with %s behind it is read or refused whole', async (_, rest, expected) => {
    const body = Buffer.concat([gzipSync('{"components":[1]}'), Buffer.from(rest)])
    const { status } = await send('/metadata/v3/validate', body, { 'content-encoding': 'gzip' })
    expect(status).toBe(expected)
  })

  it.each(Object.entries(encoders))(
    'in %s is refused once it inflates beyond its limit',
    async (encoding, encode) => {
      const bomb = encode(Buffer.alloc(64 * 1024 * 1024, 32))
      const { status, body } = await send('/setup/v3/resolve', bomb, { 'content-encoding': encoding })
      expect([status, body['code'], body['class']]).toEqual([413, 'request.too_large', 'limit'])
      expect(body['detail']).toBe(
        'The body is larger than the 1 MiB allowed here. Send it in several requests.',
      )
    },
  )

  it('of very many values is refused before they are built', async () => {
    const started = performance.now()
    const { status, body } = await send('/metadata/v3/validate', gzipSync(ones(20_000_000)), {
      'content-encoding': 'gzip',
    })
    expect([status, body['code'], body['class']]).toEqual([413, 'limit.too_many_elements', 'limit'])
    expect(body['detail']).toContain('2,500,000 values')
    expect(performance.now() - started).toBeLessThan(20_000)
  }, 60_000)

  it('of many values that are not components has its findings cut off and counted', async () => {
    const { status, body } = await send('/metadata/v3/validate', ones(50_000))
    expect([status, (body['findings'] as unknown[]).length, body['total']]).toEqual([200, 1000, 50_000])
  }, 60_000)
})

describe('a body', () => {
  it('with more values than its route takes is refused', async () => {
    const { status, body } = await send('/setup/v3/resolve', Buffer.from(`{"set":[${'1,'.repeat(20_000)}1]}`))
    expect([status, body['code']]).toEqual([413, 'limit.too_many_elements'])
  })

  it('with many errors is answered with the first of them and the total', async () => {
    const unknown = Array.from({ length: 5000 }, (_, i) => `"x${i}":1`).join()
    const { status, body } = await send('/setup/v3/resolve', Buffer.from(`{"set":"a",${unknown}}`))
    expect([status, (body['details'] as unknown[]).length]).toEqual([400, 100])
    expect(body['detail']).toContain('There are 4999 more; the first 100 are in details.')
  })

  it('with more properties than an object can have is refused before they are checked', async () => {
    const many = Array.from({ length: 1_000_000 }, (_, at) => `"x${at}":1`).join()
    const { status, body } = await send('/metadata/v3/validate', Buffer.from(`{"a":{${many}}}`))
    expect([status, body['code']]).toEqual([400, 'request.malformed'])
    expect(body['detail']).toBe(
      '/a/x100000 of the body: "x100000" is one property too many: an object has at most 100,000. Remove some of them.',
    )
  }, 60_000)

  it('with a fault under a very long name gets a short response', async () => {
    const long = 'n'.repeat(900_000)
    const { status, body } = await send('/setup/v3/resolve', Buffer.from(`{"${long}":{"a":1,"a":1}}`))
    expect([status, body['code'], JSON.stringify(body).length < 5000]).toEqual([
      400,
      'request.malformed',
      true,
    ])
  })

  it('with more components than a list can have is refused', async () => {
    const { status, body } = await send('/metadata/v3/validate', ones(200_001))
    expect([status, body['code']]).toEqual([400, 'request.malformed'])
    expect(body['detail']).toContain('200000')
  }, 60_000)

  it('with a number of a million digits is refused immediately', async () => {
    const started = performance.now()
    const { status, body } = await send(
      '/setup/v3/resolve',
      Buffer.from(`{"set":"a","generation":1${'0'.repeat(900_000)}1}`),
    )
    expect([status, body['code']]).toEqual([400, 'request.malformed'])
    expect(performance.now() - started).toBeLessThan(5000)
  })

  it('without an end is truncated at the limit, and the connection is closed', async () => {
    const { answer, sent } = await endless('/setup/v3/resolve')
    expect(answer).toContain('HTTP/1.1 413')
    expect(answer).toContain('Connection: close')
    // What the system buffers of a loopback connection on both sides is not read.
    expect(sent).toBeLessThan(12 * 1024 * 1024)
  })
})

describe('permission', () => {
  it('to send a list is checked before its body is read', async () => {
    const reader = await readerOf(test)
    const refused = await reader('POST', '/metadata/v3/validate', 'not JSON')
    expect([refused.status, refused.body['code']]).toEqual([403, 'access.denied'])
    const large = { components: Array(20_000).fill(1) }
    const plan = await reader('POST', '/metadata/v3/plan', large)
    expect([plan.status, plan.body['code']]).toEqual([413, 'limit.too_many_elements'])
  })
})

describe('a route', () => {
  it('has the default budget if it declares none', () => {
    const bare = routes.find(({ name }) => name === 'listDrafts')!
    expect(budgetsOf(bare)(null)).toEqual(defaultBudget)
  })

  it('handles no body above one mebibyte on the readers’ thread', () => {
    // A body that is read while it arrives is never in memory as a whole.
    const whole = routes.filter(({ bodyStream }) => bodyStream === undefined)
    const large = whole.filter((route) => {
      const { lane, bytes, inlineUpToBytes } = budgetsOf({ budget: route.budget })(null)
      return lane === 'here' ? bytes > 2 * 1024 * 1024 : inlineUpToBytes > 1024 * 1024
    })
    expect(large.map(({ name }) => name)).toEqual([])
  })
})

/** Sends chunks for as long as the server accepts them. */
function endless(path: string): Promise<{ answer: string; sent: number }> {
  const { hostname, port } = new URL(test.url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let answer = ''
    const head = [
      `POST ${path} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      `Cookie: ${test.cookie}`,
      `Origin: ${test.url}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ]
    const chunk = Buffer.from(`8000\r\n${' '.repeat(0x8000)}\r\n`)
    let sent = 0
    const more = (): void => {
      while (socket.writable && sent < 64 * 1024 * 1024) {
        sent += chunk.length
        if (!socket.write(chunk)) return void socket.once('drain', more)
      }
    }
    socket.on('connect', () => {
      socket.write(`${head.join('\r\n')}\r\n\r\n`)
      more()
    })
    socket.on('data', (data) => (answer += data.toString('latin1')))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve({ answer, sent: socket.bytesWritten }))
    setTimeout(() => reject(new Error('The connection stays open.')), 20_000).unref()
  })
}

/** A client without the permission to author. */
async function readerOf(server: TestServer): Promise<Ask> {
  const operator = { actor: 'admin', correlationId: 'test', isOperator: true }
  await server.studio('POST', '/metadata/v3/apply', { components: everything })
  await server.beside(({ access }) =>
    access.addUser(operator, { key: 'rea', name: 'Rea', permissionSets: ['readers'] }),
  )
  await server.studio('POST', '/metadata/v3/apply', { components: [readerClient] })
  const { token } = await server.beside(({ access }) => access.issueToken(operator, 'reader'))
  return server.bearer(token)
}
