// Calls that saves leave, sent by a real server to a real target: with their secrets, once, again after failures, and dead.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { billing } from '../../server/kernel/records/fixture.ts'
import type { OutboxRowView } from '../../server/wire/outbox.ts'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

interface Received {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: unknown
}

let target: Server
let received: Received[] = []
let answer: (request: Received, response: ServerResponse) => void
let test: TestServer
let ada: Ask
let ops: Ask
let eve: Ask

const credential = (url: string, more: object = {}) => ({
  ...{ type: 'named_credential', key: 'ledger', label: 'Ledger' },
  body: {
    ...{ url, externalCredential: 'ledger_key', principal: 'service', timeoutMs: 2000 },
    ...{ retry: { attempts: 2, baseMs: 1, jitter: false }, circuitBreaker: { failureThreshold: 1000 } },
    ...more,
  },
})
const external = (grantedTo: string[]) => ({
  ...{ type: 'external_credential', key: 'ledger_key', label: 'Key' },
  body: {
    scheme: 'api_key',
    name: 'X-Key',
    principals: [{ key: 'service', mode: 'named', grantedTo }],
  },
})
const automation = (more: object = {}) => ({
  ...{ type: 'automation', key: 'report', label: 'Report' },
  body: {
    ...{ object: 'invoice', phase: 'after_write', when: 'present(net)' },
    actions: [
      {
        ...{ type: 'enqueue', key: 'send', credential: 'ledger', method: 'PUT' },
        path: '/invoices/{number}',
        pathParams: { number: 'number' },
        payload: { '/sum/net': 'net', '/sum/tax': 'tax', state: 'state', note: 'secret' },
        ...more,
      },
    ],
  },
})

beforeAll(async () => {
  target = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const text = Buffer.concat(pieces).toString()
      const { method = '', url = '', headers } = request
      const entry = { method, url, headers, body: text === '' ? null : (JSON.parse(text) as unknown) }
      received.push(entry)
      answer(entry, response)
    })
  })
  await new Promise<void>((ready) => target.listen(0, '127.0.0.1', ready))
  test = await runningServer()
  const bodies = billing()
  const invoice = bodies['object/invoice'] as { fields: object[] }
  invoice.fields.push({ key: 'secret', type: 'text', sensitive: true })
  await apply(test.studio, [
    ...billingComponents(bodies),
    clerk(bodies),
    { type: 'permission_set', key: 'ops', label: 'Ops', body: { systemPermissions: ['operations.manage'] } },
    external(['clerk']),
    credential(`http://127.0.0.1:${(target.address() as AddressInfo).port}/v1`),
    automation(),
  ])
  const asks = await signIn(test, [
    { key: 'ada', permissionSets: ['clerk'] },
    { key: 'ops', permissionSets: ['ops'] },
    { key: 'eve', permissionSets: ['clerk', 'ops'] },
  ])
  ada = asks['ada']!
  ops = asks['ops']!
  eve = asks['eve']!
  const path = '/setup/v3/credentials/ledger_key/principals/service/next'
  const written = await test.studio('PUT', path, { values: { key: 'a-marked-key' } })
  expect(written.status).toBe(204)
})
afterAll(async () => {
  await test.close()
  target.close()
})
beforeEach(() => {
  received = []
  answer = (_request, response) => response.writeHead(204).end()
})

let made = 0
async function save(values: object = {}): Promise<string> {
  const { body: buyer } = await ada<{ id: string }>('POST', '/data/v3/customer', { name: 'A', country: 'DE' })
  const saved = await ada<{ id: string }>('POST', '/data/v3/invoice', {
    ...{ number: `V-${(made += 1)}`, customer: buyer.id, tax_point: '2022-08-15', net: '100', ...values },
  })
  expect(saved.status).toBe(201)
  return saved.body.id
}
const rowsOf = async (id: string): Promise<OutboxRowView[]> =>
  (await ops<{ rows: OutboxRowView[] }>('GET', `/setup/v3/outbox?record=invoice/${id}`)).body.rows
const dead = async (id: string): Promise<OutboxRowView> => {
  await expect.poll(async () => (await rowsOf(id))[0]?.state, { timeout: 10_000 }).toBe('dead')
  return (await rowsOf(id))[0]!
}

describe('a call that a save leaves', () => {
  it('reaches its target with its secret, its key and its payload, and then is gone', async () => {
    const id = await save({ secret: 'of the person' })
    await expect.poll(() => received.length).toBe(1)
    const [{ method, url, headers, body }] = received as [Received]
    expect([method, url]).toEqual(['PUT', `/v1/invoices/V-${made}`])
    expect(body).toEqual({ sum: { net: '100', tax: '19' }, state: 'open', note: 'of the person' })
    expect(headers['x-key']).toBe('a-marked-key')
    expect(headers['content-type']).toBe('application/json')
    expect(headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
    await expect.poll(() => rowsOf(id)).toEqual([])
  })

  it('is not left by a save that fails', async () => {
    const refused = await ada('POST', '/data/v3/invoice', {
      number: 'V-1',
      tax_point: '2022-08-15',
      net: '1',
    })
    expect(refused.status).toBe(422)
    expect(received).toEqual([])
  })

  it('is sent again with the same key after a failure', async () => {
    let failures = 1
    answer = (_request, response) => response.writeHead((failures -= 1) >= 0 ? 503 : 204).end()
    const id = await save()
    await expect.poll(() => received.length).toBe(2)
    expect(received[0]!.headers['idempotency-key']).toBe(received[1]!.headers['idempotency-key'])
    await expect.poll(() => rowsOf(id)).toEqual([])
  })

  it('of a record is sent before a later one of the same record', async () => {
    answer = (_request, response) => setTimeout(() => response.writeHead(204).end(), 100)
    const id = await save()
    const patched = await ada('PATCH', `/data/v3/invoice/${id}`, { net: '200' }, { 'if-match': '"1"' })
    expect(patched.status).toBe(200)
    await expect.poll(() => received.length).toBe(2)
    expect(received.map(({ body }) => (body as { sum: { net: string } }).sum.net)).toEqual(['100', '200'])
  })
})

describe('a call that fails for good', () => {
  it('is dead with its attempts and without a secret, and is sent again by an operator', async () => {
    answer = (request, response) =>
      response.writeHead(500).end(JSON.stringify({ echo: request.headers['x-key'] }))
    const id = await save({ secret: 'of another person' })
    const row = await dead(id)
    expect(row).toMatchObject({
      ...{
        credential: 'ledger',
        method: 'PUT',
        path: '/invoices/{number}',
        actor: 'ada',
        automation: 'report',
      },
      problem: { code: 'integration.remote_failed', class: 'integration', origin: 'integration.callout' },
    })
    expect(row.attempts.map(({ n, status }) => [n, status])).toEqual([
      [1, 500],
      [2, 500],
    ])
    const shown = JSON.stringify(row)
    for (const secret of ['a-marked-key', 'of another person']) expect(shown).not.toContain(secret)
    const before = received[0]!.headers['idempotency-key']
    received = []
    answer = (_request, response) => response.writeHead(200).end()
    expect((await ops('POST', `/setup/v3/outbox/${row.id}/requeue`)).status).toBe(204)
    await expect.poll(() => received.length).toBe(1)
    expect(received[0]!.headers['idempotency-key']).toBe(before)
    await expect.poll(() => rowsOf(id)).toEqual([])
  })

  it('is resolved or discarded once, with a reason in the audit', async () => {
    answer = (_request, response) => response.writeHead(400).end()
    const [first, second] = [await dead(await save()), await dead(await save())]
    expect(first.attempts).toHaveLength(1)
    expect((await ops('POST', `/setup/v3/outbox/${first.id}/discard`, {})).status).toBe(400)
    const reason = 'The invoice was paid.'
    expect((await ops('POST', `/setup/v3/outbox/${first.id}/discard`, { reason })).status).toBe(204)
    const again = await ops('POST', `/setup/v3/outbox/${first.id}/discard`, { reason })
    expect([again.status, again.body['code']]).toEqual([409, 'conflict.outbox_state'])
    expect((await ops('POST', `/setup/v3/outbox/${second.id}/resolve`)).status).toBe(204)
    const audit = await test.studio<{ rows: { kind: string; rationale: string }[] }>(
      'GET',
      `/metadata/v3/audit?component=outbox/${first.id}`,
    )
    expect(audit.body.rows).toMatchObject([{ kind: 'outbox.discarded', rationale: reason }])
  })

  it('for the lack of a grant is dead, and nothing is sent', async () => {
    await apply(test.studio, [external([])])
    const row = await dead(await save())
    expect(row.problem).toMatchObject({ code: 'access.denied' })
    expect(received).toEqual([])
    await apply(test.studio, [external(['clerk'])])
  })

  it('and cannot be repeated is sent again only if that is accepted', async () => {
    await apply(test.studio, [automation({ method: 'POST', path: '/invoices', pathParams: {} })])
    answer = (_request, response) => response.destroy()
    const row = await dead(await save())
    expect(row.problem).toMatchObject({ code: 'integration.outcome_unknown', retriable: false })
    expect(row.attempts).toHaveLength(1)
    const refused = await ops('POST', `/setup/v3/outbox/${row.id}/requeue`)
    expect([refused.status, refused.body['code']]).toEqual([409, 'outbox.not_repeatable'])
    answer = (_request, response) => response.writeHead(204).end()
    const accepted = await ops('POST', `/setup/v3/outbox/${row.id}/requeue`, { acceptRepeat: true })
    expect(accepted.status).toBe(204)
    await expect.poll(() => received.length).toBe(2)
    await apply(test.studio, [automation()])
  })
})

describe('a named credential that is renamed', () => {
  it('is used for the calls that were left before', async () => {
    answer = (_request, response) => response.writeHead(503, { 'retry-after': '1' }).end()
    const id = await save()
    await expect.poll(async () => (await rowsOf(id))[0]?.attempts[0]?.status).toBe(503)
    const { port } = target.address() as AddressInfo
    const renamed = { ...credential(`http://127.0.0.1:${port}/v2`), key: 'books', renamedFrom: 'ledger' }
    await apply(test.studio, [renamed])
    answer = (_request, response) => response.writeHead(204).end()
    await expect.poll(() => rowsOf(id)).toEqual([])
    expect(received.at(-1)!.url).toMatch(/^\/v2\//)
    const back = { ...credential(`http://127.0.0.1:${port}/v1`), renamedFrom: 'books' }
    await apply(test.studio, [back])
  })
})

describe('a call whose record was erased', () => {
  it('is not sent', async () => {
    answer = (_request, response) => response.writeHead(503, { 'retry-after': '1' }).end()
    const id = await save({ secret: 'a person' })
    await expect.poll(async () => (await rowsOf(id))[0]?.attempts[0]?.status).toBe(503)
    const erased = await eve('POST', '/setup/v3/erasures', { object: 'invoice', id, reason: 'r' })
    expect(erased.status).toBe(200)
    const row = await dead(id)
    expect(row.problem).toMatchObject({ code: 'record.erased' })
    expect(received).toHaveLength(1)
  })
})

describe('an open circuit breaker', () => {
  it('holds calls up without an attempt, until one of them succeeds', async () => {
    const { port } = target.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/v1`
    const strict = { circuitBreaker: { failureThreshold: 1, windowSec: 60, openSec: 2 } }
    await apply(test.studio, [credential(url, strict)])
    answer = (_request, response) => response.writeHead(500).end()
    const first = await save()
    await expect.poll(async () => (await rowsOf(first))[0]?.problem?.code).toBe('integration.breaker_open')
    expect((await rowsOf(first))[0]!.attempts).toHaveLength(1)
    answer = (_request, response) => response.writeHead(204).end()
    const second = await save()
    await expect.poll(() => rowsOf(second), { timeout: 10_000 }).toEqual([])
    await expect.poll(() => rowsOf(first), { timeout: 10_000 }).toEqual([])
  })
})

describe('the outbox', () => {
  it('is for operators', async () => {
    for (const [method, path, body] of [
      ['GET', '/setup/v3/outbox', undefined],
      ['GET', '/setup/v3/outbox/x', undefined],
      ['POST', '/setup/v3/outbox/x/requeue', {}],
      ['POST', '/setup/v3/outbox/x/resolve', {}],
      ['POST', '/setup/v3/outbox/x/discard', { reason: 'r' }],
    ] as const)
      expect([path, (await ada(method, path, body)).status]).toEqual([path, 403])
    expect((await ops('GET', '/setup/v3/outbox/x')).body['code']).toBe('outbox.not_found')
  })
})

describe('a call whose authorisation server does not respond', () => {
  it('waits without an attempt, and shows since when', async () => {
    await apply(test.studio, [
      {
        ...{ type: 'external_credential', key: 'token_key', label: 'Token' },
        body: {
          ...{ scheme: 'oauth2_client_credentials', tokenUrl: 'http://127.0.0.1:9/token' },
          principals: [{ key: 'service', mode: 'named', grantedTo: ['clerk'] }],
        },
      },
      { ...credential('http://127.0.0.1:9', { externalCredential: 'token_key' }), key: 'by_token' },
      automation({ credential: 'by_token' }),
    ])
    const path = '/setup/v3/credentials/token_key/principals/service/next'
    await test.studio('PUT', path, { values: { clientId: 'a', clientSecret: 'b' } })
    const before = new Date().toISOString()
    await save()
    const row = async () =>
      (await ops<{ rows: OutboxRowView[] }>('GET', '/setup/v3/outbox?credential=by_token')).body.rows[0]
    await expect
      .poll(async () => (await row())?.problem)
      .toMatchObject({ code: 'integration.token_unavailable', since: expect.any(String) })
    const { problem, attempts, state } = (await row())!
    expect([state, attempts, problem!.since! >= before]).toEqual(['pending', [], true])
  })
})
