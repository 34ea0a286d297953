// Webhooks that call an automation: its callouts are made at least once, what it saves is saved once, and an operator decides
// about a callout of which nobody knows whether it was carried out.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { apply } from '../support/billing-org.ts'
import { callingOrg, type CallingOrg } from '../support/calling-org.ts'
import { eventually } from '../support/eventually.ts'
import type { Ask } from '../support/running-server.ts'
import { deliver, settled } from '../support/webhook-requests.ts'

let org: CallingOrg
let ops: Ask
let eve: Ask
let number = 0
let name: string
beforeAll(async () => {
  org = await callingOrg()
  ;({ ops, eve } = org.asks)
  const { studio } = org.test
  await apply(studio, [
    {
      ...{ type: 'external_credential', key: 'hook', label: 'Hook' },
      body: { scheme: 'api_key', principals: [{ key: 'sender' }] },
    },
    {
      ...{ type: 'event_channel', key: 'heard', label: 'Heard' },
      body: {
        publish: { clerk: 'publish' },
        schema: [
          { key: 'name', type: 'text', required: true },
          { key: 'amount', type: 'number', precision: 9, scale: 2 },
        ],
      },
    },
    ...(['GET', 'POST'] as const).map((method) => ({
      ...{ type: 'automation', key: `ask_${method.toLowerCase()}`, label: 'Ask' },
      body: {
        phase: 'invocable',
        grantedTo: ['clerk'],
        params: [{ key: 'name', type: 'text' }],
        actions: [
          {
            ...{ key: 'before', type: 'create', object: 'customer' },
            values: { name: 'name + " before"', country: '"DE"' },
          },
          { key: 'ask', type: 'callout', credential: 'ledger', method, path: '/ask' },
          {
            ...{ key: 'after', type: 'create', object: 'customer' },
            values: { name: 'name + " " + text(ask.body.answer)', country: '"DE"' },
          },
        ],
      },
    })),
    ...(['ask_get', 'ask_post'] as const).map((automation) => ({
      ...{ type: 'webhook_endpoint', key: automation, label: automation },
      body: {
        ...{
          path: `/hooks/${automation}`,
          runAs: 'ada',
          dispatch: { automation, values: { name: '/data/name' } },
        },
        verification: {
          ...{ scheme: 'hmac_sha256', externalCredential: 'hook' },
          ...{ signatureHeader: 'X-Signature', signedPayload: '{body}' },
        },
      },
    })),
    {
      ...{ type: 'webhook_endpoint', key: 'heard', label: 'Heard' },
      body: {
        ...{ path: '/hooks/heard', runAs: 'ada', dispatch: { publishTo: 'heard' } },
        verification: {
          ...{ scheme: 'hmac_sha256', externalCredential: 'hook' },
          ...{ signatureHeader: 'X-Signature', signedPayload: '{body}' },
        },
      },
    },
  ])
  const written = await studio('PUT', '/setup/v3/credentials/hook/principals/sender/next', {
    values: { key: 'current-secret-current-secret-32' },
  })
  expect(written.status).toBe(204)
})
afterAll(() => org.close())
beforeEach(() => void (name = `n${(number += 1)}`))

const send = async (path: string, body: object = { data: { name } }): Promise<string> => {
  const sent = await deliver(org.test.plain, {
    preset: 'plain',
    path: `/hooks/${path}`,
    body: JSON.stringify(body),
  })
  if (sent.status !== 202) throw new Error(sent.text)
  return String(sent.body['delivery'])
}
const customers = async (): Promise<string[]> => {
  const query = {
    object: 'customer',
    fields: ['name'],
    filter: `name.startsWith("${name} ")`,
    orderBy: [{ field: 'name' }],
  }
  const { body, text } = await eve<{ records: { fields: { name: string } }[] }>(
    'POST',
    '/data/v3/query',
    query,
  )
  if (body.records === undefined) throw new Error(text)
  return body.records.map(({ fields }) => fields.name)
}

it('makes the callouts, and does what follows with their results', async () => {
  org.respond((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"answer":"yes"}'),
  )
  const done = await settled(ops, await send('ask_get'))
  expect(done).toMatchObject({ state: 'dispatched', result: { operation: 'ask_get', record: null } })
  expect(await customers()).toEqual([`${name} before`, `${name} yes`])
})

it('goes on after the last callout that has returned, and saves nothing twice', async () => {
  org.respond((_request, response) => response.writeHead(503).end())
  const id = await send('ask_get')
  await eventually(async () => {
    const { body } = await ops<{ attempts: unknown[] }>('GET', `/setup/v3/deliveries/${id}`)
    expect(body.attempts).toHaveLength(1)
  })
  expect(await customers()).toEqual([`${name} before`])
  org.respond((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"answer":"now"}'),
  )
  expect(await settled(ops, id, ['dispatched'])).toMatchObject({ result: { operation: 'ask_get' } })
  expect(await customers()).toEqual([`${name} before`, `${name} now`])
}, 30_000)

it('leaves a callout to an operator that may have been carried out', async () => {
  org.respond((_request, response) => response.destroy())
  const id = await send('ask_post')
  const dead = await settled(ops, id)
  expect([dead.state, dead.problem?.code]).toEqual(['dead', 'integration.outcome_unknown'])
  const at = `/setup/v3/deliveries/${id}/requeue`
  const refused = await ops('POST', at, {})
  expect([refused.status, refused.body['code']]).toEqual([409, 'delivery.not_repeatable'])
  org.respond((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"answer":"again"}'),
  )
  expect((await ops('POST', at, { acceptRepeat: true })).status).toBe(204)
  expect(await settled(ops, id, ['dispatched'])).toMatchObject({ state: 'dispatched' })
  expect(await customers()).toEqual([`${name} again`, `${name} before`])
})

it('refuses an automation that is not granted to the user', async () => {
  const { body } = await org.test.studio<{ component: { body: object } }>(
    'GET',
    '/metadata/v3/components/automation/ask_get',
  )
  expect(body).toBeDefined()
  const id = await send('ask_get', { data: { name: 5 } })
  const dead = await settled(ops, id)
  expect([dead.state, dead.problem?.code]).toEqual(['dead', 'request.invalid'])
})

it('publishes an event that fits the schema, and none that does not', async () => {
  const done = await settled(ops, await send('heard', { name, amount: '1.50', more: true }))
  expect(done).toMatchObject({ state: 'dispatched', result: { event: expect.any(String) as string } })
  const missing = await settled(ops, await send('heard', { amount: 1, n: name }))
  expect(missing.problem?.code).toBe('event.invalid')
  const wrong = await settled(ops, await send('heard', { name, amount: 1.234 }))
  expect(wrong.problem?.code).toBe('event.invalid')
})
