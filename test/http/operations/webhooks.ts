// Requests for each operation on deliveries to webhook endpoints.
import type { ApiDocument } from './api-document.ts'

const components = [
  {
    ...{ type: 'external_credential', key: 'hook_secret', label: 'Secret of deliveries' },
    body: { scheme: 'api_key', principals: [{ key: 'sender' }] },
  },
  {
    ...{ type: 'automation', key: 'note_delivery', label: 'Note a delivery' },
    body: {
      phase: 'invocable',
      params: [{ key: 'id', type: 'number' }],
      grantedTo: ['administrator'],
      actions: [],
    },
  },
  {
    ...{ type: 'webhook_endpoint', key: 'incoming', label: 'Incoming' },
    body: {
      ...{ path: '/hooks/incoming', runAs: 'admin', dispatch: { automation: 'note_delivery' } },
      verification: {
        ...{ scheme: 'hmac_sha256', externalCredential: 'hook_secret' },
        ...{ signatureHeader: 'X-Signature', signedPayload: '{body}' },
      },
    },
  },
]

type Rows = { rows: { id: string; state: string }[] }

export async function manageDeliveries(api: ApiDocument): Promise<void> {
  await api.send('apply', { body: { components, rationale: 'A webhook' } })
  const principal = { credential: 'hook_secret', principal: 'sender' }
  await api.send('stageSecrets', { path: principal, body: { values: { key: 'a secret of the sender' } } })
  const path = { endpoint: 'incoming' }
  for (const id of ['a', 'b', 'c'])
    await api.send('testWebhook', { path, body: { body: JSON.stringify({ id }) } })
  const [first, second] = await dead(api, 3)
  await api.send('getDelivery', { path: { id: first! } })
  await api.send('discardDelivery', { path: { id: second! }, body: { reason: 'A test' } })
  await api.send('requeueDelivery', { path: { id: first! }, body: { acceptRepeat: false } })
  const filter = { endpoint: 'incoming' }
  await api.send('handleDeliveries', { body: { action: 'discard', filter, reason: 'A test' } })
}

/** The ids of dead deliveries, as soon as there are so many. */
async function dead(api: ApiDocument, count: number): Promise<string[]> {
  for (;;) {
    const { body } = await api.send<Rows>('listDeliveries', {
      query: { state: 'dead', endpoint: 'incoming' },
    })
    if (body.rows.length >= count) return body.rows.map(({ id }) => id)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
