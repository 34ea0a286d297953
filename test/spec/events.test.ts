// The tables of events, over HTTP.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { orgFile } from '../../server/compose/org-folder.ts'
import { openRecordStore } from '../../server/storage/sqlite/index.ts'
import { apply } from '../support/billing-org.ts'
import { eventually } from '../support/eventually.ts'
import { runningServer, type TestServer } from '../support/running-server.ts'
import { publishing, schema, starts } from './events.table.ts'

const grants = { read: { administrator: 'read' }, publish: { administrator: 'publish' } }
const channels = '/events/v3/channels'

let test: TestServer
beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, [
    {
      ...{ type: 'value_set', key: 'state', label: 'State' },
      body: { values: [{ key: 'open', label: 'Open' }] },
    },
    {
      ...{ type: 'object', key: 'task', label: 'Task' },
      body: { fields: [{ key: 'title', type: 'text' }], nameField: 'title' },
    },
    { ...{ type: 'event_channel', key: 'paid', label: 'Paid' }, body: { schema, maxBytes: 1024, ...grants } },
    {
      ...{ type: 'event_channel', key: 'numbers', label: 'Numbers' },
      body: { schema: [{ key: 'n', type: 'text' }], partitions: 1, ...grants },
    },
  ])
})
afterAll(() => test.close())

interface Page {
  events: { sequence: string; payload: Record<string, unknown> }[]
  cursor: string
  gap: { reason: string; partitions: { asked: string; resumesAfter: string }[] } | null
}

describe('publishing', () => {
  it.each(publishing)('$title', async ({ payload, published, code, names }) => {
    const before = await test.studio<Page>('GET', `${channels}/paid/events?from=latest`)
    const { status, text, body } = await test.studio('POST', `${channels}/paid/publish`, { payload })
    if (published === null) {
      expect([status, body['code']]).toEqual([422, code])
      expect(text).toContain(names)
      return
    }
    expect(status).toBe(202)
    const page = await test.studio<Page>('GET', `${channels}/paid/events?after=${before.body.cursor}&wait=10`)
    expect(page.body.events.map((event) => event.payload)).toEqual([published])
  })
})

describe('a consumer begins', () => {
  let log: string
  beforeAll(async () => {
    for (let number = 1; number <= 10; number += 1) {
      const payload = { n: String(number) }
      const { status } = await test.studio('POST', `${channels}/numbers/publish`, { payload })
      expect(status).toBe(202)
    }
    await eventually(async () => {
      const page = await test.studio<Page>('GET', `${channels}/numbers/events`)
      expect(page.body.events).toHaveLength(10)
    })
    const { body } = await test.studio<Page>('GET', `${channels}/numbers/events?from=latest`)
    log = body.cursor.split('.')[0]!
    const store = openRecordStore(orgFile(test.dir))
    await store.write(async (tx) => {
      for (const channel of await tx.eventChannels())
        if (channel.includes('numbers')) await tx.purgeEvents(channel, '2999-01-01T00:00:00.000Z', 4)
    })
    await store.close()
  })

  it.each(starts)('$title', async ({ query, events, gap }) => {
    const { status, body } = await test.studio<Page & { code: string }>(
      'GET',
      `${channels}/numbers/events?${query.replace('<log>', log)}`,
    )
    if (typeof events === 'string') {
      expect([status, body.code]).toEqual([400, events])
      return
    }
    expect(status).toBe(200)
    expect(body.events.map(({ sequence }) => Number(sequence))).toEqual(events)
    const [place] = body.gap?.partitions ?? []
    const found = body.gap === null ? undefined : { reason: body.gap.reason, ...place }
    expect(found).toEqual(gap === undefined ? undefined : { ...gap, partition: 0 })
  })
})
