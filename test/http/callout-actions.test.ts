// Callouts that automations make themselves: after a commit, one action after the other, and in operations that wait for them.
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
type Reply = { status: number; body?: string; type?: string } | 'reset'

let target: Server
let received: Received[] = []
let answer: (request: Received) => Reply | Promise<Reply>
let test: TestServer
let ada: Ask
let eve: Ask
let ops: Ask

const credential = (url: string) => ({
  ...{ type: 'named_credential', key: 'rates', label: 'Rates' },
  body: {
    ...{ url, externalCredential: 'rates_key', principal: 'service', timeoutMs: 2000 },
    ...{ retry: { attempts: 2, baseMs: 1, jitter: false }, circuitBreaker: { failureThreshold: 1000 } },
  },
})
const external = {
  ...{ type: 'external_credential', key: 'rates_key', label: 'Key' },
  body: {
    scheme: 'api_key',
    name: 'X-Key',
    principals: [{ key: 'service', mode: 'named', grantedTo: ['clerk'] }],
  },
}
const bank = {
  ...{ type: 'config_set', key: 'bank', label: 'Bank' },
  body: {
    ...{ cardinality: 'keyed', keyedBy: { key: 'land', type: 'text' } },
    fields: [{ key: 'credential', type: 'credential_reference' }],
    read: { reader: 'read' },
  },
}
const bankOf = (land: string, to: string) => ({
  ...{ type: 'config_entry', key: `bank.${land}`, label: land },
  body: { set: 'bank', key: land, scope: { kind: 'org' }, values: { credential: to } },
})
const byConfiguration = automation('pay', {
  ...{ phase: 'invocable', params: [{ key: 'land', type: 'text' }], grantedTo: ['clerk'] },
  actions: [
    { type: 'callout', key: 'paid', credential: 'config.bank(land).credential', method: 'GET', path: '/pay' },
  ],
  returns: { status: 'paid.status' },
})
function automation(key: string, body: object): object {
  return { type: 'automation', key, label: key, body }
}
const afterCommit = automation('convert', {
  ...{ object: 'invoice', phase: 'post_commit', when: 'number.startsWith("P-") && !present(rate)' },
  actions: [
    {
      type: 'callout',
      key: 'fetched',
      credential: 'rates',
      method: 'GET',
      path: '/rates/{of}',
      pathParams: { of: 'number' },
    },
    {
      ...{ type: 'callout', key: 'book', credential: 'rates', method: 'POST', path: '/books' },
      payload: { rate: 'number(fetched.body.rate)', net: 'net', secret: 'secret' },
      idempotencyKey: 'number',
    },
    {
      type: 'update',
      key: 'keep',
      object: 'invoice',
      record: 'id',
      values: { rate: 'number(fetched.body.rate)', booked: 'text(book.body.id)' },
    },
  ],
})
const operation = automation('quote', {
  ...{ phase: 'invocable', params: [{ key: 'name', type: 'text' }], grantedTo: ['clerk'] },
  actions: [
    { type: 'create', key: 'note', object: 'customer', values: { name: 'name', country: '"DE"' } },
    {
      type: 'callout',
      key: 'rate',
      credential: 'rates',
      method: 'GET',
      path: '/rates/{of}',
      pathParams: { of: 'name' },
    },
    {
      type: 'callout',
      key: 'book',
      credential: 'rates',
      method: 'POST',
      path: '/books',
      payload: { rate: 'rate.body.rate' },
    },
    {
      type: 'create',
      key: 'done',
      object: 'customer',
      values: { name: 'name + text(book.body.id)', country: '"DE"' },
    },
  ],
  returns: { rate: 'number(rate.body.rate) * 2', status: 'book.status', id: 'text(book.body.id)' },
})

const ping = (key: string, returns: object) =>
  automation(key, {
    ...{ phase: 'invocable', grantedTo: ['clerk'] },
    actions: [{ type: 'callout', key: 'rate', credential: 'rates', method: 'GET', path: '/unread' }],
    returns,
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
      void Promise.resolve(answer(entry)).then((reply) => send(response, reply))
    })
  })
  await new Promise<void>((ready) => target.listen(0, '127.0.0.1', ready))
  test = await runningServer()
  const bodies = billing()
  const invoice = bodies['object/invoice'] as { fields: object[] }
  invoice.fields.push(
    { key: 'secret', type: 'text', sensitive: true },
    { key: 'rate', type: 'number', precision: 18, scale: 6 },
    { key: 'booked', type: 'text' },
  )
  await apply(test.studio, [
    ...billingComponents(bodies),
    clerk(bodies),
    { type: 'permission_set', key: 'ops', label: 'Ops', body: { systemPermissions: ['operations.manage'] } },
    { type: 'permission_set', key: 'reader', label: 'Reader', body: {} },
    external,
    credential(`http://127.0.0.1:${(target.address() as AddressInfo).port}/v1`),
    afterCommit,
    operation,
    ping('ping', { status: 'rate.status' }),
    ping('ping_body', { body: 'text(rate.body[0])' }),
    bank,
    ...[bankOf('de', 'rates'), bankOf('fr', 'rates_key')],
    byConfiguration,
  ])
  const asks = await signIn(test, [
    { key: 'ada', permissionSets: ['clerk'] },
    { key: 'eve', permissionSets: ['clerk', 'ops', 'reader'] },
    { key: 'ops', permissionSets: ['ops'] },
  ])
  ada = asks['ada']!
  eve = asks['eve']!
  ops = asks['ops']!
  const path = '/setup/v3/credentials/rates_key/principals/service/next'
  expect((await test.studio('PUT', path, { values: { key: 'a-marked-key' } })).status).toBe(204)
})
afterAll(async () => {
  await test.close()
  target.close()
})

function send(response: ServerResponse, reply: Reply): void {
  if (reply === 'reset') return void response.destroy()
  const { status, body = '', type = 'application/json' } = reply
  response.writeHead(status, { 'content-type': type }).end(body)
}
const usual = ({ method }: Received): Reply =>
  method === 'GET' ? { status: 200, body: '{"rate":1.234567890123456}' } : { status: 201, body: '{"id":7}' }
beforeEach(() => {
  received = []
  answer = usual
})

let made = 0
async function save(values: object = {}): Promise<string> {
  const { body: buyer } = await ada<{ id: string }>('POST', '/data/v3/customer', { name: 'A', country: 'DE' })
  const saved = await ada<{ id: string }>('POST', '/data/v3/invoice', {
    ...{ number: `P-${(made += 1)}`, customer: buyer.id, tax_point: '2022-08-15', net: '100', ...values },
  })
  expect(saved.status).toBe(201)
  return saved.body.id
}
const fieldsOf = async (id: string): Promise<Record<string, unknown>> =>
  (await ada<{ fields: Record<string, unknown> }>('GET', `/data/v3/invoice/${id}`)).body.fields
const rowsOf = async (id: string): Promise<OutboxRowView[]> =>
  (await ops<{ rows: OutboxRowView[] }>('GET', `/setup/v3/outbox?record=invoice/${id}`)).body.rows
const jobs = async (): Promise<{ id: string; kind: string; problem: { code: string } | null }[]> =>
  (
    await eve<{ jobs: { id: string; kind: string; problem: { code: string } | null }[] }>(
      'GET',
      '/setup/v3/jobs',
    )
  ).body.jobs

describe('an automation after the commit', () => {
  it('goes on with what each callout returns, exactly', async () => {
    const id = await save({ secret: 'of the person' })
    await expect.poll(async () => (await fieldsOf(id))['rate']).toBe('1.234568')
    expect((await fieldsOf(id))['booked']).toBe('7')
    expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET /v1/rates/P-${made}`,
      'POST /v1/books',
    ])
    expect(received[1]!.body).toEqual({ rate: '1.234567890123456', net: '100', secret: 'of the person' })
    expect(received[1]!.headers['idempotency-key']).toBe(`P-${made}`)
    expect(await rowsOf(id)).toEqual([])
    expect((await jobs()).filter(({ kind }) => kind === 'automation')).toEqual([])
  })

  it('waits for a call that fails, and goes on where it stopped once it is sent again', async () => {
    answer = (request) => (request.method === 'POST' ? { status: 400 } : usual(request))
    const id = await save()
    await expect.poll(async () => (await rowsOf(id))[0]?.state, { timeout: 10_000 }).toBe('dead')
    const [row] = await rowsOf(id)
    expect(row!.waits).toBe(true)
    await expect
      .poll(async () => (await jobs()).find(({ kind }) => kind === 'automation')?.problem?.code)
      .toBe('integration.refused')
    expect((await fieldsOf(id))['rate']).toBeNull()
    answer = usual
    expect((await ops('POST', `/setup/v3/outbox/${row!.id}/requeue`)).status).toBe(204)
    await expect.poll(async () => (await fieldsOf(id))['rate']).toBe('1.234568')
    expect(received.filter(({ method }) => method === 'GET')).toHaveLength(1)
    expect((await jobs()).filter(({ kind }) => kind === 'automation')).toEqual([])
  })

  it('fails if a response is not the JSON that its header declares', async () => {
    answer = () => ({ status: 200, body: '{"rate":' })
    const id = await save()
    await expect.poll(async () => (await rowsOf(id))[0]?.problem?.code).toBe('integration.unreadable')
    expect(received).toHaveLength(1)
    const [row] = await rowsOf(id)
    const reason = 'The rate was entered by hand.'
    expect((await ops('POST', `/setup/v3/outbox/${row!.id}/discard`, { reason })).status).toBe(204)
    expect((await fieldsOf(id))['rate']).toBeNull()
  })

  it.each([
    ['nested very deeply', '['.repeat(1_000_000), 'is nested more than 200 levels deep'],
    ['of very many values', `[${'1,'.repeat(100_000)}1]`, 'has more than 20,000 values'],
    ['of many bytes', `"${'x'.repeat(2_000_000)}"`, 'has more than 1 MiB'],
  ])('fails once, and holds up nothing, if a response is %s', async (_case, body, words) => {
    answer = (request) => (request.method === 'POST' ? { status: 200, body } : usual(request))
    const id = await save()
    await expect
      .poll(async () => (await rowsOf(id))[0]?.problem, { timeout: 10_000 })
      .toMatchObject({
        code: 'integration.too_large',
        detail: expect.stringContaining(words) as string,
        origin: 'integration.callout',
      })
    const [row] = await rowsOf(id)
    expect([row!.state, row!.attempts.length]).toEqual(['dead', 1])
    expect(received.map(({ method }) => method)).toEqual(['GET', 'POST'])
    const reason = 'It was entered by hand.'
    expect((await ops('POST', `/setup/v3/outbox/${row!.id}/discard`, { reason })).status).toBe(204)
  })

  it('does not go on if its record was erased in the meantime', async () => {
    answer = (request) => (request.method === 'POST' ? { status: 400 } : usual(request))
    const id = await save({ secret: 'a name of a person' })
    await expect.poll(async () => (await rowsOf(id))[0]?.state, { timeout: 10_000 }).toBe('dead')
    const erased = await eve('POST', '/setup/v3/erasures', { object: 'invoice', id, reason: 'Asked for.' })
    expect(erased.status).toBeLessThan(300)
    answer = usual
    received = []
    const [row] = await rowsOf(id)
    expect((await ops('POST', `/setup/v3/outbox/${row!.id}/requeue`)).status).toBe(204)
    await expect.poll(async () => (await rowsOf(id))[0]?.problem?.code).toBe('record.erased')
    expect(received).toEqual([])
  })
})

describe('an operation', () => {
  const call = (name: string, key?: string) =>
    ada('POST', '/invoke/v3/quote', { params: { name } }, key === undefined ? {} : { 'idempotency-key': key })
  const named = async (name: string): Promise<number> => {
    const query = { object: 'customer', fields: ['name'], filter: `name.startsWith("${name}")` }
    return (await ada<{ records: unknown[] }>('POST', '/data/v3/query', query)).body.records.length
  }

  it('returns what its callouts have returned', async () => {
    const { status, body } = await call('Quick')
    expect([status, body]).toEqual([
      200,
      {
        ...{ operation: 'quote', generation: expect.any(Number) as number, ran: true },
        returns: { rate: '2.469135780246912', status: '201', id: '7' },
      },
    ])
    expect(received[1]!.body).toEqual({ rate: '1.234567890123456' })
    expect(received[0]!.headers['x-key']).toBe('a-marked-key')
    expect(await named('Quick')).toBe(2)
  })

  it.each<[string, string]>([
    ['['.repeat(5000) + ']'.repeat(5000), '200 levels'],
    [`{"rate":[${'1,'.repeat(50_000)}1]}`, '20,000 values'],
  ])('reads no response that is too large: case %#', async (body, words) => {
    answer = () => ({ status: 200, body })
    const called = await ada('POST', '/invoke/v3/quote', { params: { name: 'Endless' } })
    expect([called.status, called.body['code']]).toEqual([502, 'integration.too_large'])
    expect(called.body['detail']).toContain(words)
  })

  it('keeps what it has done before a callout that fails, and a repeated request goes on there', async () => {
    answer = (request) => (request.method === 'POST' ? { status: 422 } : usual(request))
    const failed = await call('Slow', 'k-1')
    expect([failed.status, failed.body['code'], failed.body['origin']]).toEqual([
      ...[502, 'integration.refused', 'integration.callout'],
    ])
    expect(await named('Slow')).toBe(1)
    answer = usual
    const again = await call('Slow', 'k-1')
    expect([again.status, again.body['returns']]).toMatchObject([200, { id: '7' }])
    const repeated = await call('Slow', 'k-1')
    expect(repeated.body).toEqual(again.body)
    expect(received.map(({ method }) => method)).toEqual(['GET', 'POST', 'POST'])
    expect(await named('Slow')).toBe(2)
  })

  it('reads a response only where an expression reads it', async () => {
    // A number that no expression can hold, in the response to a call whose body is not read.
    answer = (request) =>
      request.url.startsWith('/v1/unread') ? { status: 200, body: '[1e9999]' } : usual(request)
    const { status, body } = await ada('POST', '/invoke/v3/ping', { params: {} })
    expect([status, body['returns']]).toEqual([200, { status: '200' }])
    const read = await ada('POST', '/invoke/v3/ping_body', { params: {} })
    expect([read.status, read.body['code']]).toEqual([502, 'integration.unreadable'])
    expect(read.body['detail']).toContain('The response to rate does not have a type that Almanac reads')
  })

  it('never sends a callout twice that its target may have carried out', async () => {
    answer = (request) => (request.method === 'POST' ? 'reset' : usual(request))
    const lost = await call('Lost', 'k-2')
    // A client that repeats what is retriable must not repeat it.
    const unknown = { code: 'integration.outcome_unknown', retriable: false }
    expect([lost.status, lost.body]).toMatchObject([502, unknown])
    answer = usual
    const again = await call('Lost', 'k-2')
    expect([again.status, again.body]).toMatchObject([502, unknown])
    expect(received.map(({ method }) => method)).toEqual(['GET', 'POST'])
    expect(await named('Lost')).toBe(1)
  })

  it('is refused to a repeated request while it is running', async () => {
    const started = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    answer = async (request) => {
      started.resolve()
      await held.promise
      return usual(request)
    }
    const first = call('Held', 'k-3')
    await started.promise
    const second = await call('Held', 'k-3')
    expect([second.status, second.body['code']]).toEqual([409, 'conflict.operation_running'])
    held.resolve()
    expect((await first).status).toBe(200)
    expect((await call('Held', 'k-3')).body).toEqual((await first).body)
    expect(received).toHaveLength(2)
  })

  it.each([
    ['ends', 200, 200],
    ['fails after another callout', 422, 502],
  ])(
    'keeps no response that can contain values that were erased in the meantime: it %s',
    async (how, booked, end) => {
      const started = Promise.withResolvers<void>()
      const held = Promise.withResolvers<void>()
      answer = async (request) => {
        started.resolve()
        await held.promise
        return request.method === 'POST' ? { status: booked, body: '{"id":7}' } : usual(request)
      }
      const id = await save({ number: `E-${booked}`, secret: 'a name of a person' })
      const first = call(`Erased ${how}`, `k-erased-${booked}`)
      await started.promise
      const erased = await eve('POST', '/setup/v3/erasures', { object: 'invoice', id, reason: 'Asked for.' })
      expect(erased.status).toBe(200)
      held.resolve()
      expect((await first).status).toBe(end)
      const again = await call(`Erased ${how}`, `k-erased-${booked}`)
      expect([again.status, again.body['code']]).toEqual([410, 'record.erased'])
      expect(received).toHaveLength(2)
    },
  )

  it('is not made for a user without a grant on the principal', async () => {
    const { status } = await ops('POST', '/invoke/v3/quote', { params: { name: 'No' } })
    expect(status).toBe(404)
    expect(received).toEqual([])
  })

  it('makes a callout through the credential that configuration names', async () => {
    const paid = await ada('POST', '/invoke/v3/pay', { params: { land: 'de' } })
    expect([paid.status, paid.body['returns']]).toEqual([200, { status: '200' }])
    const other = await ada('POST', '/invoke/v3/pay', { params: { land: 'fr' } })
    expect([other.status, other.body['code']]).toEqual([422, 'integration.call_invalid'])
    expect(received.map(({ url }) => url)).toEqual(['/v1/pay'])
    const users = await eve<{ usages: { from: string }[] }>(
      'GET',
      '/metadata/v3/components/named_credential/rates/where-used',
    )
    expect(JSON.stringify(users.body)).toContain('config_entry/bank.de')
  })

  it('shows no credential that configuration names to a caller who cannot read it', async () => {
    answer = () => ({ status: 422 })
    const pay = (ask: Ask, land: string) => ask('POST', '/invoke/v3/pay', { params: { land } })
    const hidden = await pay(ada, 'de')
    expect([hidden.status, hidden.body]).toMatchObject([
      502,
      {
        ...{ code: 'integration.refused', detail: 'The call failed: it returned 422.' },
        ...{ origin: 'integration.callout', details: [] },
      },
    ])
    const wrong = await pay(ada, 'fr')
    expect([wrong.status, wrong.body['detail']]).toEqual([422, 'The outgoing call is not valid.'])
    for (const each of [hidden, wrong]) expect(each.text).not.toMatch(/rates|127\.0\.0\.1/)
    const shown = await pay(eve, 'de')
    expect(shown.body['detail']).toMatch(/^GET http:\/\/127.* of rates failed: it returned 422\.$/)
    expect((await pay(eve, 'fr')).body['detail']).toContain('rates_key')
  })

  it('has a credential only from a field of configuration that is one', async () => {
    const actions = [{ type: 'callout', key: 'x', credential: '"ra" + "tes"', method: 'GET', path: '/' }]
    const wrong = automation('wrong', { phase: 'invocable', actions })
    const { body } = await test.studio<{ findings: { severity: string }[] }>(
      'POST',
      '/metadata/v3/validate',
      { components: [wrong] },
    )
    const errors = body.findings.filter(({ severity }) => severity === 'error')
    expect(errors).toMatchObject([{ code: 'expr.result_type', path: '/body/actions/0/credential' }])
  })
})
