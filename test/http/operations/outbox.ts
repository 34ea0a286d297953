// Requests for each operation on the outbox: over calls to a target that nobody can reach.
import type { ApiDocument } from './api-document.ts'

const components = [
  {
    ...{ type: 'external_credential', key: 'nowhere_key', label: 'Key of nowhere' },
    body: {
      scheme: 'api_key',
      principals: [{ key: 'service', mode: 'named', grantedTo: ['administrator'] }],
    },
  },
  {
    ...{ type: 'named_credential', key: 'nowhere', label: 'Nowhere' },
    body: {
      ...{ url: 'http://127.0.0.1:9', externalCredential: 'nowhere_key', principal: 'service' },
      retry: { attempts: 1 },
    },
  },
  {
    ...{ type: 'automation', key: 'report_nowhere', label: 'Report nowhere' },
    body: {
      ...{ object: 'customer', phase: 'after_write', when: 'name == "Nowhere"' },
      actions: [{ type: 'enqueue', key: 'send', credential: 'nowhere', method: 'GET', path: '/' }],
    },
  },
]

type Rows = { rows: { id: string; state: string }[] }

export async function manageOutbox(api: ApiDocument): Promise<void> {
  await manageDeadCalls(api)
  await api.send('listTrace', { query: { subject: 'named_credential/nowhere', limit: '3' } })
  await api.send('listBreakers')
  const path = { credential: 'nowhere' }
  await api.send('openBreaker', { path, body: { reason: 'A test' } })
  await api.send('testNamedCredential', { path, body: { method: 'GET' } })
  await api.send('closeBreaker', { path, body: { reason: 'A test' } })
}

async function manageDeadCalls(api: ApiDocument): Promise<void> {
  await api.send('apply', { body: { components, rationale: 'A call that fails' } })
  const fields = { name: 'Nowhere', territory: 'DE' }
  for (const _ of ['requeue', 'resolve', 'discard'])
    await api.send('insertRecord', { path: { object: 'customer' }, body: fields })
  const [first, second, third] = await dead(api, 3)
  await api.send('getOutboxRow', { path: { id: first! } })
  await api.send('resolveOutboxRow', { path: { id: second! }, body: { reason: 'Done by hand' } })
  await api.send('discardOutboxRow', { path: { id: third! }, body: { reason: 'A test' } })
  await api.send('requeueOutboxRow', { path: { id: first! }, body: { acceptRepeat: true } })
  await dead(api, 1)
  const action = { action: 'resolve', filter: { credential: 'nowhere' }, reason: 'Done by hand' }
  await api.send('handleOutbox', { body: action })
}

/** The ids of dead rows, as soon as there are so many. */
async function dead(api: ApiDocument, count: number): Promise<string[]> {
  for (;;) {
    const { body } = await api.send<Rows>('listOutbox', { query: { state: 'dead', credential: 'nowhere' } })
    if (body.rows.length >= count) return body.rows.map(({ id }) => id)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
