// The rate limits of integration clients: enforced for each client, shown in headers, and in no way for people.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClientsView } from '#wire/clients.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

const by = { actor: 'admin', correlationId: 'c', isOperator: true }

let test: TestServer
let slow: Ask
let quick: Ask
let firstRefusal: string | null = null
beforeAll(async () => {
  test = await runningServer({ limitsClients: true })
  const client = (key: string, rateLimit: object): object => ({
    ...{ type: 'integration_client', key, label: key },
    body: { authScheme: 'oauth2_client_credentials', runAs: 'admin', rateLimit },
  })
  const components = [
    client('slow', { sustained: 1, burst: 3, concurrency: 2 }),
    client('quick', { sustained: 1000, burst: 1000, concurrency: '2%' }),
  ]
  expect((await test.studio('POST', '/metadata/v3/apply', { components })).status).toBe(200)
  await test.studio('POST', '/setup/v3/users', { key: 'rea', name: 'Rea' })
  const tokens = await test.beside(async ({ access }) => [
    (await access.issueToken(by, 'slow')).token,
    (await access.issueToken(by, 'quick')).token,
  ])
  ;[slow, quick] = tokens.map((token) => test.bearer(token)) as [Ask, Ask]
})
afterAll(() => test.close())

describe('the rate limit of a client', () => {
  it('refuses requests above the burst with the wait, and shows what is left', async () => {
    const answers = []
    for (let at = 0; at < 5; at += 1) answers.push(await slow('GET', '/data/v3'))
    const [first, , , , last] = answers
    expect([first!.status, first!.headers.get('ratelimit-policy'), first!.headers.get('ratelimit')]).toEqual([
      200,
      '"client";q=3;w=3',
      '"client";r=2;t=1',
    ])
    const { status, headers, body } = last!
    expect([status, body['code'], body['class'], body['retriable'], headers.get('retry-after')]).toEqual([
      429,
      'limit.rate',
      'limit',
      true,
      '1',
    ])
    expect(headers.get('ratelimit')).toMatch(/^"client";r=0;t=\d$/)
    firstRefusal = answers.find((each) => each.status === 429)!.headers.get('x-correlation-id')
  })

  it('refuses more requests at the same time than are declared, and frees their places again', async () => {
    const query = (): Promise<{ status: number; body: Record<string, unknown> }> =>
      quick('POST', '/metadata/v3/plan', { components: [] })
    const answers = await Promise.all(Array.from({ length: 12 }, query))
    const refused = answers.filter(({ status }) => status === 429)
    expect(new Set(refused.map(({ body }) => body['code']))).toEqual(new Set(['limit.concurrency']))
    expect(refused.length).toBeGreaterThan(0)
    expect((await query()).status).toBe(200)
  })

  it('is shown for each client with its requests, to users with operations.manage', async () => {
    const { body } = await test.studio<ClientsView>('GET', '/setup/v3/clients')
    const found = body.clients.find(({ key }) => key === 'slow')!
    expect(found).toMatchObject({
      ...{ label: 'slow', runAs: 'admin', authScheme: 'oauth2_client_credentials', running: 0 },
      ...{ limits: { sustained: 1, burst: 3, concurrency: 2 }, deprecationWindowDays: 30 },
      requests: 5,
    })
    expect(found.refused).toBeGreaterThan(0)
    expect(found.left).toBeLessThanOrEqual(3)
    expect(Date.parse(found.lastRequestAt!)).toBeGreaterThan(Date.parse(body.countedSince))
    const unused = body.clients.find(({ key }) => key === 'local')!
    expect(unused).toMatchObject({ requests: 0, refused: 0, lastRequestAt: null })
    const plain = await test.studio('GET', '/setup/v3/clients', undefined, { 'x-view-as': 'rea' })
    expect([plain.status, plain.body['code']]).toEqual([403, 'access.denied'])
  })

  it('does not apply to people', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => test.studio('GET', '/setup/v3/session')),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(answers[0]!.headers.get('ratelimit')).toBeNull()
  })

  it('applies to the OpenAPI document', async () => {
    // On a busy machine, a place is free again before many of the others are taken.
    let last = await slow('GET', '/openapi.json')
    for (let at = 0; at < 30 && last.status === 200; at += 1) last = await slow('GET', '/openapi.json')
    expect([last.status, last.body['code']]).toEqual([429, 'limit.rate'])
  })

  it('is on the trace with the first request that it refuses; further ones are only counted', async () => {
    const path = '/setup/v3/trace?kind=throttle&subject=integration_client/slow'
    const { body } = await test.studio<{ events: { correlationId: string; facts: object }[] }>('GET', path)
    expect(body.events).toMatchObject([{ correlationId: firstRefusal, facts: { code: 'limit.rate' } }])
  })

  it('is in the metrics, by client', async () => {
    const { text } = await test.plain('GET', '/metrics')
    const valueOf = (name: string, client: string): number =>
      Number(new RegExp(`^almanac_client_${name}_total\\{client="${client}"\\} (\\d+)$`, 'm').exec(text)?.[1])
    const { body } = await test.studio<ClientsView>('GET', '/setup/v3/clients')
    for (const key of ['slow', 'quick']) {
      const { requests, refused } = body.clients.find((each) => each.key === key)!
      expect([valueOf('requests', key), valueOf('throttled', key)]).toEqual([requests, refused])
    }
    expect(valueOf('throttled', 'slow')).toBeGreaterThan(0)
    expect(valueOf('failed', 'slow')).toBe(0)
  })

  it('is shown as declared beside the ceiling, and never above it', async () => {
    const { body } = await test.studio<ClientsView>('GET', '/setup/v3/clients')
    expect(body.ceiling).toEqual({ sustained: 500, burst: 1000, concurrency: 50 })
    expect(body.clients.find(({ key }) => key === 'quick')).toMatchObject({
      rateLimit: { sustained: 1000, burst: 1000, concurrency: '2%' },
      limits: { sustained: 500, burst: 1000, concurrency: 1 },
    })
  })

  it('is part of the OpenAPI document', async () => {
    const { body } = await test.plain<{
      paths: Record<string, Record<string, { responses: Record<string, { headers: object }> }>>
    }>('GET', '/openapi.json')
    const { responses } = body.paths['/data/v3']!['get']!
    expect(Object.keys(responses['429']!.headers)).toEqual(
      expect.arrayContaining(['RateLimit', 'RateLimit-Policy', 'Retry-After']),
    )
    expect(Object.keys(responses['200']!.headers)).toContain('RateLimit')
  })
})
