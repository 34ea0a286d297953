// Operations of external services, called over HTTP: a server that is made from the same description receives them.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ledger } from '../../server/external-services/fixture.ts'
import { billing } from '../../server/kernel/records/fixture.ts'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- responses of any shape
type Any = any
interface Received {
  method: string
  url: string
  headers: IncomingMessage['headers']
  text: string
}

let target: Server
let received: Received[] = []
let answer: (request: Received, response: ServerResponse) => void
let test: TestServer
let ada: Ask
let eve: Ask

const entry = { id: '9007199254740993', amount: 0.1, currency: 'EUR', booked: '2026-01-31' }

/** Responds as the description declares. */
function fromDescription({ method, url }: Received, response: ServerResponse): void {
  const send = (status: number, body: unknown): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const { pathname } = new URL(url, 'http://x')
  if (pathname === '/v1/entries' && method === 'GET') return send(200, [entry])
  if (pathname === '/v1/entries' && method === 'POST') return send(201, entry)
  if (pathname.startsWith('/v1/accounts/')) return send(200, { name: 'Cash', children: [{ name: 'Till' }] })
  send(404, {})
}

beforeAll(async () => {
  target = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const each = { method, url, headers, text: Buffer.concat(pieces).toString() }
      received.push(each)
      answer(each, response)
    })
  })
  await new Promise<void>((ready) => target.listen(0, '127.0.0.1', ready))
  test = await runningServer()
  const bodies = billing()
  await apply(test.studio, [
    ...billingComponents(bodies),
    clerk(bodies),
    { type: 'permission_set', key: 'office', label: 'Office', body: {} },
    {
      ...{ type: 'external_credential', key: 'ledger_key', label: 'Key' },
      body: {
        scheme: 'api_key',
        name: 'X-Key',
        principals: [{ key: 'service', mode: 'named', grantedTo: ['clerk'] }],
      },
    },
    {
      ...{ type: 'named_credential', key: 'ledger', label: 'Ledger' },
      body: {
        ...{ url: `http://127.0.0.1:${(target.address() as AddressInfo).port}/v1` },
        ...{ externalCredential: 'ledger_key', principal: 'service', timeoutMs: 2000 },
        ...{ retry: { attempts: 2, baseMs: 1, jitter: false }, circuitBreaker: { failureThreshold: 1000 } },
      },
    },
    {
      ...{ type: 'external_service', key: 'ledger', label: 'Ledger' },
      body: {
        ...{ namedCredential: 'ledger', grantedTo: ['clerk'] },
        spec: { format: 'openapi_3_1', source: ledger },
      },
    },
    {
      ...{ type: 'automation', key: 'book', label: 'Book' },
      body: {
        ...{ object: 'invoice', phase: 'after_write', when: 'present(net)' },
        actions: [
          {
            ...{ type: 'enqueue', key: 'send', operation: 'ledger.createEntry' },
            payload: { amount: 'net', '/account/name': 'number', currency: '"EUR"', booked: 'tax_point' },
            idempotencyKey: 'number',
          },
        ],
      },
    },
    {
      ...{ type: 'automation', key: 'first_amount', label: 'First amount' },
      body: {
        ...{ phase: 'invocable', grantedTo: ['clerk'], params: [{ key: 'most', type: 'number' }] },
        actions: [{ type: 'callout', key: 'list', operation: 'ledger.listEntries', args: { limit: 'most' } }],
        returns: { amount: 'list.body[0].amount * 2', status: 'list.status' },
      },
    },
  ])
  const asks = await signIn(test, [
    { key: 'ada', permissionSets: ['clerk'] },
    { key: 'eve', permissionSets: ['office'] },
  ])
  ada = asks['ada']!
  eve = asks['eve']!
  const path = '/setup/v3/credentials/ledger_key/principals/service/next'
  expect((await test.studio('PUT', path, { values: { key: 'a-marked-key' } })).status).toBe(204)
})
afterAll(async () => {
  await test.close()
  target.close()
})
beforeEach(() => {
  received = []
  answer = fromDescription
})

const call = (ask: Ask, name: string, params: object = {}): Promise<{ status: number; body: Any }> =>
  ask<Any>('POST', `/invoke/v3/${encodeURIComponent(`ledger.${name}`)}`, { params })

describe('an operation of an external service', () => {
  it('is called with its parameters, and returns its typed body', async () => {
    const { status, body } = await call(ada, 'listEntries', { limit: '10', tag: ['a b', 'c'] })
    expect(status).toBe(200)
    expect(received).toMatchObject([{ method: 'GET', url: '/v1/entries?limit=10&tag=a%20b&tag=c' }])
    expect(received[0]!.headers['x-key']).toBe('a-marked-key')
    expect(body).toMatchObject({
      ...{ operation: 'ledger.listEntries', ran: true },
      returns: { status: 200, body: [{ ...entry, amount: '0.1' }] },
      attempts: [{ n: 1, status: 200, error: null }],
    })
    expect(JSON.stringify(body)).not.toContain('a-marked-key')
  })

  it('is called with a body, whose numbers stay exact', async () => {
    const { body } = await call(ada, 'createEntry', { body: { amount: '9007199254740993.01' } })
    expect(received[0]).toMatchObject({ method: 'POST', text: '{"amount":9007199254740993.01}' })
    expect(body.returns).toEqual({ status: 201, body: { ...entry, amount: '0.1' } })
  })

  it('without an operationId is called by its method and path, whose values are not shown', async () => {
    const { body } = await call(ada, 'GET /accounts/{id}', { id: 'a-secret-id' })
    expect(received[0]!.url).toBe('/v1/accounts/a-secret-id')
    expect(body.attempts[0].endpoint).toMatch(/\/v1\/accounts\/\{id\}$/)
    expect(body.returns.body).toEqual({ name: 'Cash', children: [{ name: 'Till' }] })
  })

  it('sends a key to the target that is the same for a repetition, and another one for each caller', async () => {
    const granted = await signIn(test, [{ key: 'bob', permissionSets: ['clerk'] }])
    for (const ask of [ada, ada, granted['bob']!])
      await ask('POST', '/invoke/v3/ledger.listEntries', {}, { 'idempotency-key': 'k-1' })
    const [first, second, other] = received.map(({ headers }) => headers['idempotency-key'])
    expect(first).toBe(second)
    expect(other).not.toBe(first)
  })

  it.each<[string, string, object, string]>([
    ['an unknown parameter', 'listEntries', { limits: '1' }, 'Did you mean "limit"?'],
    [
      'a value out of bounds',
      'listEntries',
      { limit: '101' },
      '/params/limit: The value must be at most 100.',
    ],
    ['a value of another type', 'listEntries', { limit: 'many' }, '/params/limit'],
    ['no required parameter', 'GET /accounts/{id}', {}, 'requires the parameter "id"'],
    ['a path that leads elsewhere', 'GET /accounts/{id}', { id: '..' }, 'cannot be ".."'],
    ['no required member', 'createEntry', { body: {} }, '"amount"'],
    ['half of a character', 'GET /accounts/{id}', { id: '\ud800' }, '/params/id: "id" contains an unpaired'],
    ['half of a character in a list', 'listEntries', { tag: ['\udc00'] }, '/params/tag/0'],
  ])('with %s is not called', async (_case, name, params, words) => {
    const { status, body } = await call(ada, name, params)
    expect([status, body.code]).toEqual([422, 'request.invalid'])
    expect(body.detail).toContain(words)
    expect(received).toEqual([])
  })

  it('does not exist for a user without a grant on its service', async () => {
    const refused = await call(eve, 'listEntries')
    const unknown = await eve<Any>('POST', '/invoke/v3/ledgers.listEntries', { params: {} })
    expect([refused.status, unknown.status]).toEqual([404, 404])
    expect(refused.body.code).toBe('operation.not_found')
    expect(refused.body.detail).not.toContain('Did you mean')
    const near = await call(ada, 'listEntriess')
    expect(near.body.detail).toContain('Did you mean "ledger.listEntries"?')
  })

  it.each<[string, number, string, string, number, string]>([
    ['a failure', 500, '', 'integration.remote_failed', 502, 'it returned 500'],
    ['a refusal', 422, '', 'integration.refused', 502, 'it returned 422'],
    [
      'a body of another type',
      200,
      '[{"id":"x"}]',
      'integration.wrong_type',
      502,
      'is not as its description declares',
    ],
    ['a body that is not JSON', 200, '[', 'integration.wrong_type', 502, 'not valid JSON'],
    ['endless nesting', 200, '['.repeat(5000), 'integration.too_large', 502, '200 levels'],
  ])(
    'that ends with %s is an error of class integration',
    async (_case, given, text, code, status, words) => {
      answer = (_request, response) =>
        void response.writeHead(given, { 'content-type': 'application/json' }).end(text)
      const { body, ...head } = await call(ada, 'listEntries')
      expect([head.status, body.code, body.class, body.origin]).toEqual([
        ...[status, code, 'integration', 'integration.callout'],
      ])
      expect(body.detail).toContain(words)
      expect(body.correlationId).toMatch(/^[\w-]+$/)
    },
  )
})

describe('large responses and arguments of an operation', () => {
  const json = (text: string) => (_request: Received, response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(text)

  it('are read and written as small ones are', async () => {
    const entries = Array.from({ length: 2000 }, (_, n) => ({ ...entry, amount: n + 0.5 }))
    answer = json(JSON.stringify(entries))
    const tags = Array.from({ length: 350 }, (_, n) => `a tag of some length ${n}`)
    const { status, body } = await call(ada, 'listEntries', { tag: tags })
    expect(status).toBe(200)
    expect(new URL(received[0]!.url, 'http://x').searchParams.getAll('tag')).toEqual(tags)
    expect(body.returns.body).toEqual(entries.map((each) => ({ ...each, amount: String(each.amount) })))
  })

  it('are refused in the same words', async () => {
    answer = json(JSON.stringify([...Array.from({ length: 500 }, () => entry), { id: '1' }]))
    const wrong = await call(ada, 'listEntries')
    expect([wrong.status, wrong.body.code]).toEqual([502, 'integration.wrong_type'])
    expect(wrong.body.detail).toContain('/500 must have the member "amount"')
    const tags = Array.from({ length: 350 }, (_, n) => `a tag of some length ${n}`)
    const invalid = await call(ada, 'listEntries', { tag: tags, limit: '101' })
    expect([invalid.status, invalid.body.code]).toEqual([422, 'request.invalid'])
    expect(invalid.body.detail).toContain('/params/limit: The value must be at most 100.')
  })

  it.each<[string, string, string]>([
    ['nested deeply', `${'['.repeat(3000)}${']'.repeat(3000)}`, 'is nested more than 200 levels deep'],
    ['nested very deeply', '['.repeat(4_000_000), 'is nested more than 200 levels deep'],
    ['of very many values', `[${'1,'.repeat(600_000)}1]`, 'has more than 100,000 values'],
  ])('%s are not read', async (_case, text, words) => {
    answer = json(text)
    const { status, body } = await call(ada, 'listEntries')
    expect([status, body.code, body.origin]).toEqual([502, 'integration.too_large', 'integration.callout'])
    expect(body.detail).toContain(`was carried out, but its response (200) ${words}`)
  })

  it.each<[string, object]>([
    ['GET /accounts/{id}', { id: 'a\ud800' }],
    ['listEntries', { tag: ['\udc00b'] }],
    ['createEntry', { body: { amount: '1', ['x\ud800']: '1' } }],
  ])('%s with half a character in %j is not called', async (name, params) => {
    const { status, body } = await call(ada, name, params)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(body.detail).toMatch(/unpaired/)
    expect(received).toEqual([])
  })

  it('can contain a whole character of two halves, and what only looks like an escape', async () => {
    expect((await call(ada, 'listEntries', { tag: ['😀\\ud800'] })).status).toBe(200)
    expect(new URL(received[0]!.url, 'http://x').searchParams.get('tag')).toBe('😀\\ud800')
  })
})

describe('an enqueued operation', () => {
  it('is sent as its description declares', async () => {
    const { body: buyer } = await ada<{ id: string }>('POST', '/data/v3/customer', {
      name: 'A',
      country: 'DE',
    })
    const saved = await ada<{ id: string }>('POST', '/data/v3/invoice', {
      ...{ number: 'V-1', customer: buyer.id, tax_point: '2022-08-15', net: '100.50' },
    })
    expect(saved.status).toBe(201)
    await expect.poll(() => received.length, { timeout: 10_000 }).toBe(1)
    expect(received[0]).toMatchObject({ method: 'POST', url: '/v1/entries' })
    expect(JSON.parse(received[0]!.text)).toEqual({
      ...{ amount: 100.5, account: { name: 'V-1' }, currency: 'EUR', booked: '2022-08-15' },
    })
    expect(received[0]!.headers).toMatchObject({ 'idempotency-key': 'V-1', 'x-key': 'a-marked-key' })
  })
})

describe('a callout of an operation', () => {
  it('is made with its arguments, and its typed body is read by what follows', async () => {
    const { body } = await ada<Any>('POST', '/invoke/v3/first_amount', { params: { most: '5' } })
    expect(body.returns).toEqual({ amount: '0.2', status: '200' })
    expect(received).toMatchObject([{ method: 'GET', url: '/v1/entries?limit=5' }])
  })
})

describe('the arguments of an operation in an automation', () => {
  const refusal = async (action: object): Promise<string[]> => {
    const automation = {
      ...{ type: 'automation', key: 'try', label: 'Try' },
      body: {
        phase: 'invocable',
        params: [
          { key: 'n', type: 'number' },
          { key: 't', type: 'text' },
        ],
        actions: [{ type: 'callout', key: 'a', ...action }],
      },
    }
    const { body } = await test.studio<Any>('POST', '/metadata/v3/validate', { components: [automation] })
    return body.findings.map(({ path, message }: Any) => `${path} ${message}`)
  }

  it.each<[object, string[]]>([
    [{ operation: 'ledger.listEntries', args: { limit: 'n' } }, []],
    [{ operation: 'ledger.createEntry', payload: { amount: 'n', '/account/name': 't' } }, []],
    [
      { operation: 'ledger.listEntry' },
      ['/body/actions/0/operation ledger has no operation "listEntry". Did you mean "listEntries"?'],
    ],
    [
      { operation: 'ledger.listEntries', args: { limits: 'n' } },
      ['/body/actions/0/args/limits ledger.listEntries has no parameter "limits". Did you mean "limit"?'],
    ],
    [
      { operation: 'ledger.listEntries', args: { limit: 't' } },
      ['/body/actions/0/args/limit The result must be a number; this is a text. Write number(t).'],
    ],
    [
      { operation: 'ledger.listEntries', query: { limit: 'n' } },
      ['/body/actions/0/query Write the parameters of the operation in "args".'],
    ],
    [
      { operation: 'ledger.GET /accounts/{id}' },
      ['/body/actions/0 ledger.GET /accounts/{id} requires the parameter "id". Add it to "args".'],
    ],
    [
      { operation: 'ledger.createEntry' },
      ['/body/actions/0 ledger.createEntry requires a body. Add a payload, or "body" to "args".'],
    ],
    [
      { operation: 'ledger.createEntry', payload: { amont: 'n' } },
      [
        '/body/actions/0/payload/amont Entry has no member "amont". Did you mean "amount"?',
        '/body/actions/0/payload The body of ledger.createEntry requires "amount". Add it to the payload.',
      ],
    ],
    [
      { operation: 'ledger.createEntry', payload: { amount: 'n', currency: '"EURO"' } },
      ['/body/actions/0/payload/currency "EURO" is not a value of currency. Did you mean "EUR"?'],
    ],
    [
      { operation: 'ledger.createEntry', args: { body: 'n' } },
      [
        '/body/actions/0/args/body body must be a Entry; this is a number. Set its members in the payload, as in "/name".',
      ],
    ],
    [
      { credential: 'ledger', method: 'GET', path: '/', args: { a: 'n' } },
      ['/body/actions/0/args Only an operation has arguments. Use pathParams, query and payload.'],
    ],
  ])('%j', async (action, expected) => {
    expect(await refusal(action)).toEqual(expected)
  })

  it('name the operation in where-used, and follow a rename of the service', async () => {
    const { body } = await test.studio<Any>(
      'GET',
      '/metadata/v3/components/external_service/ledger/where-used?member=createEntry',
    )
    expect(JSON.stringify(body)).toContain('automation/book')
    const { body: plan } = await test.studio<Any>('POST', '/metadata/v3/plan', {
      components: [
        {
          ...{ type: 'external_service', key: 'books', label: 'Ledger', renamedFrom: 'ledger' },
          body: {
            ...{ namedCredential: 'ledger', grantedTo: ['clerk'] },
            spec: { format: 'openapi_3_1', source: ledger },
          },
        },
      ],
    })
    const renamed = plan.changes.find(({ id }: Any) => id === 'automation/book')
    expect(renamed.after.body.actions[0].operation).toBe('books.createEntry')
    expect(plan.findings).toEqual([])
  })
})
