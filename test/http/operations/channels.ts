// Requests for each operation on events.
import type { ApiDocument } from './api-document.ts'

const components = [
  {
    ...{ type: 'event_channel', key: 'memo', label: 'Memo' },
    body: {
      schema: [{ key: 'text', type: 'text' }],
      read: { administrator: 'read' },
      publish: { administrator: 'publish' },
    },
  },
]

export async function followChannels(api: ApiDocument): Promise<void> {
  await api.send('apply', { body: { components, rationale: 'A test' } })
  const path = { channel: 'memo' }
  await api.send('listChannels')
  await api.send('publishEvents', {
    path,
    body: { payload: { text: 'one' } },
    headers: { 'Idempotency-Key': 'memo' },
  })
  await api.send('publishEvents', { path, body: { events: [{ payload: {} }, { payload: { text: 'two' } }] } })
  const { body } = await api.send<{ cursor: string }>('readEvents', {
    path,
    query: { limit: '2', wait: '5' },
  })
  await api.send('readEvents', { path, query: { partition: '0', from: 'latest' } })
  await api.send('readEvents', { path, query: { before: 'latest', limit: '2' } })
  await api.send('getChannel', { path })
  await api.send('subscribe', { path, query: { from: 'earliest' } })
  const name = { name: 'erp' }
  await api.send('putSubscription', { path: name, body: { channel: 'memo', from: 'earliest' } })
  await api.send('putSubscription', { path: name, body: { channel: 'memo' } })
  await api.send('ackSubscription', { path: name, body: { cursor: body.cursor } })
  await api.send('getSubscription', { path: name })
  await api.send('countReplay', { path: name, query: { from: 'earliest' } })
  await api.send('listSubscriptions', { query: { channel: 'memo', limit: '1' } })
  await api.send('deleteSubscription', { path: name })
  await api.send('deleteSubscriptions', { body: { filter: { channel: 'memo' }, dryRun: true } })
  await api.send('deleteSubscriptions', { body: { filter: { channel: 'memo', removed: false }, limit: 1 } })
}
