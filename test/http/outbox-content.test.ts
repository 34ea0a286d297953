// What a call in the outbox sends, for operators: the values that come from fields which they can read.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CallValueView, OutboxCallView } from '../../server/wire/outbox.ts'
import { apply, signIn } from '../support/billing-org.ts'
import { callingOrg, reportAutomation, type CallingOrg } from '../support/calling-org.ts'
import type { Ask } from '../support/running-server.ts'

let org: CallingOrg
let ned: Ask
beforeAll(async () => {
  org = await callingOrg()
  const body = {
    objects: { invoice: { read: true, viewAll: true } },
    fields: { 'invoice.number': { read: true, edit: false } },
  }
  await apply(org.test.studio, [{ type: 'permission_set', key: 'numbers', label: 'Numbers', body }])
  ;({ ned } = (await signIn(org.test, [{ key: 'ned', permissionSets: ['numbers', 'ops'] }])) as { ned: Ask })
  org.respond((_request, response) => response.writeHead(400).end())
})
afterAll(() => org.close())

const mark = 'a-marked-secret'
async function contentFor(ask: Ask, id: string): Promise<{ content: CallValueView[]; text: string }> {
  const { status, body } = await ask<OutboxCallView>('GET', `/setup/v3/outbox/${id}`)
  expect(status).toBe(200)
  return { content: body.content, text: JSON.stringify(body) }
}
const shown = (content: readonly CallValueView[]): Record<string, unknown> =>
  Object.fromEntries(
    content.map(({ name, state, value, expression }) => [
      name,
      state === 'shown' ? value : [state, expression],
    ]),
  )

it('shows what the user can read, and a placeholder for what is sensitive', async () => {
  const invoice = await org.save({ secret: mark })
  const { id } = await org.dead(invoice)
  const eve = await contentFor(org.asks.eve, id)
  expect(shown(eve.content)).toEqual({
    number: expect.stringMatching(/^V-/),
    ...{ '/sum/net': '100', '/sum/tax': '19', state: 'open', note: ['sensitive', 'secret'] },
  })
  expect(eve.content.map((each) => each.in)).toEqual(['path', 'body', 'body', 'body', 'body'])
  expect(eve.text).not.toContain(mark)
})

it('hides what comes from a field or a record that the user cannot read', async () => {
  const invoice = await org.save({ secret: mark })
  const { id } = await org.dead(invoice)
  const hidden = ['hidden', null]
  const all = { '/sum/net': hidden, '/sum/tax': hidden, state: hidden, note: hidden }
  expect(shown((await contentFor(ned, id)).content)).toEqual({ ...all, number: expect.any(String) })
  expect(shown((await contentFor(org.asks.ops, id)).content)).toEqual({ ...all, number: hidden })
  // Nobody can see a record that does not exist any more.
  await org.asks.ada('DELETE', `/data/v3/invoice/${invoice}`)
  expect(shown((await contentFor(org.asks.eve, id)).content)).toMatchObject({ number: hidden })
})

it('hides the results of other calls', async () => {
  const send = reportAutomation().body.actions[0]!
  const rate = { type: 'callout', key: 'rate', credential: 'ledger', method: 'GET', path: '/rate' }
  const payload = { got: 'rate.status', both: 'text(rate.status) + number', net: 'net' }
  const body = { object: 'invoice', phase: 'post_commit', when: 'present(net)' }
  await apply(org.test.studio, [
    {
      ...{ type: 'automation', key: 'after_rate', label: 'After the rate' },
      body: { ...body, actions: [rate, { ...send, payload }] },
    },
  ])
  org.respond((request, response) => response.writeHead(request.method === 'GET' ? 200 : 400).end('{}'))
  const invoice = await org.save()
  const isSent = (each: { automation: string; action: string }): boolean =>
    each.automation === 'after_rate' && each.action === 'send'
  await expect.poll(async () => (await org.rowsOf(invoice)).some(isSent)).toBe(true)
  const row = (await org.rowsOf(invoice)).find(isSent)!
  expect(shown((await contentFor(org.asks.eve, row.id)).content)).toMatchObject({
    ...{ got: ['hidden', null], both: ['hidden', null], net: '100' },
  })
})
