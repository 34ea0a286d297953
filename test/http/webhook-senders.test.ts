// Deliveries that the libraries of senders sign: Standard Webhooks, Stripe and GitHub.
import { sign } from '@octokit/webhooks-methods'
import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { secretText } from '../spec/webhook-ground.ts'
import { runningServer, type TestServer } from '../support/running-server.ts'
import { bodyOf, openWebhooks } from '../support/webhook-requests.ts'

let test: TestServer
beforeAll(async () => {
  test = await runningServer()
  await openWebhooks(test, ['github', 'stripe', 'standard_webhooks'])
})
afterAll(() => test.close())

const kinds = [
  ['current', 202],
  ['next', 202],
  ['prior', 202],
  ['expired', 401],
] as const
const body = bodyOf({ id: 'evt_1', name: 'Zoë 💶' })
const sent = (path: string, kind: string, headers: Record<string, string>, text: string) =>
  test.plain('POST', `/hooks/${path}`, Buffer.from(text.replace('evt_1', `evt_${kind}`)), headers)

it.each(kinds)('standardwebhooks with the %s secret', async (kind, expected) => {
  const text = body.replace('evt_1', `evt_${kind}`)
  const at = new Date()
  const signature = new Webhook(secretText('standard_webhooks', kind)).sign(`msg_${kind}`, at, text)
  const headers = {
    'webhook-id': `msg_${kind}`,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signature,
  }
  expect((await sent('standard_webhooks', kind, headers, text)).status).toBe(expected)
})

it.each(kinds)('stripe with the %s secret', async (kind, expected) => {
  const payload = body.replace('evt_1', `evt_${kind}`)
  const stripe = new Stripe('sk_test_none')
  const header = stripe.webhooks.generateTestHeaderString({ payload, secret: secretText('stripe', kind) })
  expect((await sent('stripe', kind, { 'stripe-signature': header }, payload)).status).toBe(expected)
  const old = stripe.webhooks.generateTestHeaderString({
    ...{ payload, secret: secretText('stripe', kind) },
    timestamp: Math.floor(Date.now() / 1000) - 3600,
  })
  expect((await sent('stripe', kind, { 'stripe-signature': old }, payload)).status).toBe(401)
})

it.each(kinds)('@octokit/webhooks-methods with the %s secret', async (kind, expected) => {
  const text = body.replace('evt_1', `evt_${kind}`)
  const headers = {
    'x-hub-signature-256': await sign(secretText('github', kind), text),
    'x-github-delivery': `d_${kind}`,
  }
  expect((await sent('github', kind, headers, text)).status).toBe(expected)
})
