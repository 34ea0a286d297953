// A webhook endpoint in the way of GitHub that writes contacts, and requests of its sender.
import { presetBody, secretText, signedRequest } from '../../spec/webhook-ground.ts'
import type { WebhookCase } from '../../spec/webhooks.table.ts'
import { deployContacts } from './bulk.ts'
import type { Studio } from './test.ts'

const components = [
  {
    ...{ type: 'external_credential', key: 'hub_secret', label: 'Secret of the hub' },
    body: { scheme: 'api_key', principals: [{ key: 'sender' }] },
  },
  {
    ...{ type: 'webhook_endpoint', key: 'hub', label: 'Hub' },
    body: {
      ...{ path: '/hooks/hub', runAs: 'hooks', dedupe: presetBody('github').dedupe },
      verification: { ...presetBody('github').verification, externalCredential: 'hub_secret' },
      dispatch: {
        upsert: {
          ...{ object: 'contact', externalId: 'code' },
          values: { code: '/code', name: '/person/name', amount: '/amount' },
        },
      },
    },
  },
]

/** @param hasSecret whether the endpoint can verify its deliveries */
export async function deployWebhook(studio: Pick<Studio, 'call'>, hasSecret = true): Promise<void> {
  const { call } = studio
  await deployContacts(studio)
  await call('POST', '/setup/v3/users', { key: 'hooks', name: 'Hooks', permissionSets: ['loader'] })
  await call('POST', '/metadata/v3/apply', { components, rationale: 'A hub' })
  if (hasSecret) await writeSecret(studio)
}

/** The first one is the current one at once. */
export async function writeSecret({ call }: Pick<Studio, 'call'>): Promise<void> {
  const path = '/setup/v3/credentials/hub_secret/principals/sender'
  await call('PUT', `${path}/next`, { values: { key: secretText('github', 'current') } })
}

/** Sends what the hub would send. Returns the id of the delivery; null if it was refused. */
export async function sendFromHub(
  { url }: Pick<Studio, 'url'>,
  id: string,
  body: object,
  more: Partial<WebhookCase> = {},
): Promise<string | null> {
  const request = { name: '', preset: 'github', result: 'verified', body: JSON.stringify(body) } as const
  const { headers, body: sent } = signedRequest({ ...request, ...more }, 0, id)
  // Without the cookie of the studio.
  const response = await fetch(`${url}/hooks/hub`, { method: 'POST', headers, body: sent })
  const text = await response.text()
  if (![200, 202, 400, 401].includes(response.status)) throw new Error(`${response.status} ${text}`)
  const { delivery = null } = JSON.parse(text) as { delivery?: string }
  return delivery
}

/** Waits until as many deliveries are in a state. */
export async function deliveriesIn(
  { call }: Pick<Studio, 'call'>,
  state: string,
  wanted: number,
): Promise<void> {
  for (;;) {
    const path = `/setup/v3/deliveries?state=${state}`
    const { rows } = await call<{ rows: unknown[] }>('GET', path)
    if (rows.length >= wanted) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
