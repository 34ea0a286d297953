// A channel of platform events, and one of the changes of an object with a field that the administrator cannot read.
import type { Studio } from './test.ts'

export async function deployChannels({ call }: Pick<Studio, 'call'>): Promise<void> {
  const administrator = await call<{ component: { body: object } }>(
    'GET',
    '/metadata/v3/components/permission_set/administrator',
  )
  const components = [
    {
      ...{ type: 'object', key: 'customer', label: 'Customer' },
      body: {
        nameField: 'name',
        fields: [
          { key: 'name', label: 'Name', type: 'text', required: true, aliases: ['title'] },
          { key: 'city', label: 'City', type: 'text' },
          { key: 'note', label: 'Note', type: 'text', default: '"secret"' },
        ],
        capture: { enabled: true },
      },
    },
    {
      ...{ type: 'value_set', key: 'mood', label: 'Mood' },
      body: {
        values: [
          { key: 'good', label: 'Good', active: true },
          { key: 'bad', label: 'Bad', active: true },
        ],
      },
    },
    {
      ...{ type: 'event_channel', key: 'note', label: 'Notes' },
      body: {
        schema: [
          { key: 'text', label: 'Text', type: 'text', required: true },
          { key: 'mood', label: 'Mood', type: 'enum', valueSet: 'mood' },
          { key: 'amount', label: 'Amount', type: 'number', precision: 8, scale: 2 },
        ],
        ...{ partitions: 1, maxBytes: 1024 },
        ...{ read: { administrator: 'read' }, publish: { administrator: 'publish' } },
      },
    },
    {
      ...administrator.component,
      body: {
        ...administrator.component.body,
        objects: {
          customer: { create: true, read: true, update: true, delete: true, viewAll: true, modifyAll: true },
        },
        fields: Object.fromEntries(
          ['name', 'city'].map((key) => [`customer.${key}`, { read: true, edit: true }]),
        ),
      },
    },
  ]
  await call('POST', '/metadata/v3/apply', { components, rationale: 'Channels' })
}

export async function publishNotes({ call }: Pick<Studio, 'call'>, texts: readonly string[]): Promise<void> {
  const events = texts.map((text) => ({ payload: { text } }))
  for (let at = 0; at < events.length; at += 200)
    await call('POST', '/events/v3/channels/note/publish', { events: events.slice(at, at + 200) })
}

/** Waits until a channel has so many events. */
export async function eventsIn(
  { call }: Pick<Studio, 'call'>,
  channel: string,
  count: number,
): Promise<void> {
  interface Described {
    log: { partitions: { last: string }[] }
  }
  for (;;) {
    const { log } = await call<Described>('GET', `/events/v3/channels/${channel}`)
    if (log.partitions.reduce((sum, { last }) => sum + Number(last), 0) >= count) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Events in the channels of the sample org, and subscriptions that are behind. */
export async function layEvents({ call }: Pick<Studio, 'call'>): Promise<void> {
  await call('PUT', '/events/v3/subscriptions/erp_sync', { channel: 'invoice_changes', from: 'earliest' })
  await call('PUT', '/events/v3/subscriptions/ledger', { channel: 'payments', from: 'latest' })
  const events = Array.from({ length: 12 }, (_, at) => ({
    payload: { invoice_number: `2026-${String(at).padStart(3, '0')}`, amount: `${at * 37}.50` },
  }))
  await call('POST', '/events/v3/channels/payments/publish', { events })
  interface Page {
    records: { id: string; version: number; fields: Record<string, unknown> }[]
  }
  const query = { object: 'invoice', fields: ['number'], limit: 4 }
  const { records } = await call<Page>('POST', '/data/v3/query', query)
  for (const { id, version } of records.slice(0, 3)) {
    const fields = { territory: 'AT', reverse_charge: true }
    await call('POST', '/data/v3/invoice/batch', { records: [{ op: 'update', id, version, fields }] })
  }
}
