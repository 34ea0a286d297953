// The limits of clients over HTTP: what is shown of them, and what a client can use.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClientsView } from '#wire/clients.ts'
import { apply } from '../support/billing-org.ts'
import { runningServer, type TestServer } from '../support/running-server.ts'
import { clientLimitCases, type ClientLimitCase } from './client-limits.table.ts'

const by = { actor: 'admin', correlationId: 'c', isOperator: true }
const clientOf = (key: string, rateLimit: ClientLimitCase['rateLimit']): object => ({
  ...{ type: 'integration_client', key, label: key },
  body: { authScheme: 'api_key', runAs: 'admin', rateLimit },
})
type NamedCase = readonly [name: string, each: ClientLimitCase, key: string]
const cases = clientLimitCases.map((each, at): NamedCase => [each.name, each, `client_${at}`])
const accepted = cases.filter(([, { refused }]) => refused === undefined)

let test: TestServer
let clients: ClientsView['clients']
beforeAll(async () => {
  test = await runningServer({ limitsClients: true })
  await apply(
    test.studio,
    accepted.map(([, { rateLimit }, key]) => clientOf(key, rateLimit)),
  )
  clients = (await test.studio<ClientsView>('GET', '/setup/v3/clients')).body.clients
})
afterAll(() => test.close())

describe('limits', () => {
  it.each(accepted)('%s: what is shown, and what is admitted', async (_name, { limits, window }, key) => {
    const [sustained, burst, concurrency] = limits!
    expect(clients.find((each) => each.key === key)!.limits).toEqual({ sustained, burst, concurrency })
    const { token } = await test.beside(({ access }) => access.issueToken(by, key))
    const ask = test.bearer(token)
    const began = performance.now()
    const answers = []
    // One after the other, so that the concurrency does not count.
    for (let at = 0; at < Math.min(burst + 1, 40); at += 1) answers.push(await ask('GET', '/data/v3'))
    const gained = Math.ceil(((performance.now() - began) / 1000) * sustained)
    expect(answers[0]!.headers.get('ratelimit-policy')).toBe(`"client";q=${burst};w=${window}`)
    const admitted = answers.filter(({ status }) => status === 200).length
    expect(admitted).toBeGreaterThanOrEqual(Math.min(burst, answers.length))
    expect(admitted).toBeLessThanOrEqual(burst + gained)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.map(({ body }) => body['code'])).toEqual(refused.map(() => 'limit.rate'))
  })

  it.each(cases.filter(([, { refused }]) => refused !== undefined))(
    '%s is refused',
    async (_name, { rateLimit, refused }, key) => {
      const { body } = await test.studio<{ findings: { severity: string; path: string; message: string }[] }>(
        'POST',
        '/metadata/v3/validate',
        { components: [clientOf(key, rateLimit)] },
      )
      const errors = body.findings.filter(({ severity }) => severity === 'error')
      expect(errors.map(({ path }) => path)).toEqual([refused])
    },
  )
})
