// Channels as operators see them: what their logs have, pages in both directions, times, and subscriptions of all users.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cursorText, fromText } from '../../server/http/schemas/events.ts'
import { formatCursor } from '../../server/records/events/event-cursor.ts'
import { openOrg } from '../../server/compose/open-org.ts'
import { apply, signIn } from '../support/billing-org.ts'
import { runningServer, type Answer, type Ask, type TestServer } from '../support/running-server.ts'

const components = (): object[] => [
  {
    ...{ type: 'object', key: 'task', label: 'Task' },
    body: {
      fields: [
        { key: 'title', type: 'text', label: 'Title', aliases: ['name'] },
        { key: 'secret', type: 'text', label: 'Secret' },
        { key: 'assignee', type: 'text' },
      ],
      nameField: 'title',
      sharing: { default: 'private', ownerField: 'assignee' },
      capture: { enabled: true },
    },
  },
  {
    ...{ type: 'value_set', key: 'mood', label: 'Mood' },
    body: {
      values: [
        { key: 'good', label: 'Good', active: true },
        { key: 'bad', label: 'Bad', active: false },
      ],
    },
  },
  {
    ...{ type: 'event_channel', key: 'note', label: 'Note' },
    body: {
      schema: [
        { key: 'text', type: 'text', label: 'Text', required: true },
        { key: 'mood', type: 'enum', valueSet: 'mood' },
        { key: 'amount', type: 'number', precision: 12, scale: 2 },
      ],
      partitionKey: 'text',
      partitions: 3,
      read: { worker: 'read' },
      publish: { publisher: 'publish' },
    },
  },
  {
    ...{ type: 'permission_set', key: 'worker', label: 'Worker' },
    body: {
      objects: { task: { create: true, read: true, update: true, delete: true } },
      fields: Object.fromEntries(
        ['title', 'assignee'].map((key) => [`task.${key}`, { read: true, edit: true }]),
      ),
    },
  },
  { ...{ type: 'permission_set', key: 'publisher', label: 'Publisher' }, body: {} },
  {
    ...{ type: 'permission_set', key: 'operator', label: 'Operator' },
    body: { systemPermissions: ['operations.manage'] },
  },
]

let test: TestServer
let asks: Record<'ada' | 'bob' | 'pub' | 'ops', Ask>
beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, components())
  asks = (await signIn(test, [
    { key: 'ada', permissionSets: ['worker'] },
    { key: 'bob', permissionSets: ['worker'] },
    { key: 'pub', permissionSets: ['publisher'] },
    { key: 'ops', permissionSets: ['operator'] },
  ])) as typeof asks
})
afterAll(() => test.close())

interface Event {
  eventId: string
  sequence: string
  partition: number
  commitTs: string
  cursor: string
  payload: { text?: string; id?: string }
}
interface Page {
  events: Event[]
  start: string
  cursor: string
  isAtEnd: boolean
  gap: { reason: string; partitions: object[] } | null
}

const path = '/events/v3/channels'
const page = async (ask: Ask, name: string, query: string): Promise<Page> => {
  const { status, text, body } = await ask<Page>('GET', `${path}/${name}/events?${query}`)
  if (status !== 200) throw new Error(text)
  return body
}
const textsOf = ({ events }: Page): unknown[] => events.map(({ payload }) => payload.text)

/** Publishes texts one after the other, and waits until all have numbers. */
async function publish(texts: readonly string[]): Promise<void> {
  const { cursor } = await page(asks.ada, 'note', 'from=latest')
  for (const text of texts) {
    const { status } = await asks.pub('POST', `${path}/note/publish`, { payload: { text } })
    expect(status).toBe(202)
  }
  let [found, after] = [0, cursor]
  while (found < texts.length) {
    const next = await page(asks.ada, 'note', `after=${after}&wait=10`)
    found += next.events.length
    after = next.cursor
  }
}

/** All pages in one direction. */
async function walk(direction: 'after' | 'before', from: string, limit: number): Promise<Event[]> {
  const events: Event[] = []
  for (let cursor = from; ;) {
    const next = await page(asks.ada, 'note', `${direction}=${cursor}&limit=${limit}`)
    expect(next.events.length).toBeLessThanOrEqual(limit)
    events.push(...next.events)
    if (next.isAtEnd) return events
    cursor = next.cursor
  }
}

it('the longest cursor that the server makes is accepted', () => {
  const partitions = Array.from({ length: 64 }, () => ({ head: 0, tail: 0 }))
  const log = { tag: 'x'.repeat(20), epoch: 999_999_999, partitions, epochs: [] }
  const numbers = partitions.map(() => 999_999_999_999_999)
  const marks = partitions.map(() => 'ffffff')
  const cursor = formatCursor(log, numbers, marks)
  for (const schema of [cursorText, fromText]) expect(schema.parse(cursor)).toBe(cursor)
})

describe('a channel', () => {
  it('shows the fields of its events, and what its log has', async () => {
    const { body } = await asks.ada('GET', `${path}/note`)
    expect(body).toMatchObject({
      ...{ name: 'note', label: 'Note', kind: 'platform', object: null, partitions: 3, retentionDays: 7 },
      ...{ mayRead: true, mayPublish: false, maxBytes: 1_048_576 },
      fields: [
        { key: 'text', label: 'Text', type: 'text', required: true, isReadable: true, values: null },
        { key: 'mood', label: 'mood', values: ['good'], labels: { good: 'Good', bad: 'Bad' } },
        { key: 'amount', type: 'number', precision: 12, scale: 2 },
      ],
      log: { partitions: [{ partition: 0, first: '1', last: '0', firstAt: null }, {}, {}], epochs: [] },
    })
    expect((await asks.pub('GET', `${path}/note`)).body).toMatchObject({ mayPublish: true, log: null })
    expect((await asks.ops('GET', `${path}/note`)).status).toBe(404)
  })

  it('of changes shows of a hidden field only its key', async () => {
    const { body } = await asks.ada<{ fields: object[] }>('GET', `${path}/changes.task`)
    expect(body.fields).toMatchObject([
      { key: 'title', label: 'Title', aliases: ['name'], isReadable: true },
      { key: 'secret', label: null, type: null, isReadable: false },
      { key: 'assignee', isReadable: true },
    ])
    expect(JSON.stringify(body)).not.toContain('Secret')
  })
})

const texts = Array.from({ length: 17 }, (_, at) => `t${at}`)

describe('pages', () => {
  beforeAll(() => publish(texts))

  it('have events of several partitions in the order of their times, also backwards', async () => {
    const all = await page(asks.ada, 'note', 'from=earliest&limit=1000')
    expect(textsOf(all)).toEqual(texts)
    expect(new Set(all.events.map(({ partition }) => partition)).size).toBe(3)
    const back = await page(asks.ada, 'note', 'before=latest&limit=1000')
    expect(textsOf(back)).toEqual([...texts].reverse())
    expect(back).toMatchObject({ isAtEnd: true, gap: null, start: all.cursor })
  })

  it.each([1, 2, 5, 1000])('of %i events repeat and skip none in either direction', async (limit) => {
    const { start, cursor } = await page(asks.ada, 'note', 'from=earliest&limit=1000')
    const ids = (events: readonly Event[]): string[] => events.map(({ eventId }) => eventId).sort()
    const [forth, back] = [await walk('after', start, limit), await walk('before', cursor, limit)]
    expect(forth).toHaveLength(texts.length)
    expect(new Set(ids(forth)).size).toBe(texts.length)
    expect(ids(back)).toEqual(ids(forth))
    expect(back.map(({ payload }) => payload.text)).toEqual([...texts].reverse())
  })

  it('continue in both directions at the cursor of each event', async () => {
    for (const from of ['from=earliest', 'before=latest'] as const) {
      const { events } = await page(asks.ada, 'note', `${from}&limit=1000`)
      const { cursor, payload } = events[6]!
      const at = texts.indexOf(payload.text!)
      expect(textsOf(await page(asks.ada, 'note', `after=${cursor}&limit=1000`))).toEqual(texts.slice(at + 1))
      const before = await page(asks.ada, 'note', `before=${cursor}&limit=1000`)
      expect(textsOf(before)).toEqual(texts.slice(0, at + 1).reverse())
    }
  })

  it('begin at a time, in both directions', async () => {
    const all = await page(asks.ada, 'note', 'from=earliest&limit=1000')
    const { commitTs } = all.events[9]!
    const at = all.events.findIndex((event) => event.commitTs === commitTs)
    expect(textsOf(await page(asks.ada, 'note', `from=${commitTs}&limit=1000`))).toEqual(texts.slice(at))
    const before = await page(asks.ada, 'note', `before=${commitTs}&limit=1000`)
    expect(textsOf(before)).toEqual(texts.slice(0, at).reverse())
    expect((await page(asks.ada, 'note', 'from=2100-01-01')).events).toEqual([])
    expect(textsOf(await page(asks.ada, 'note', 'from=1970-01-01T00:00:00%2B01:00'))).toEqual(texts)
  })

  it('backwards are of one partition if asked, and combine with nothing else', async () => {
    const one = await page(asks.ada, 'note', 'before=latest&partition=1&limit=1000')
    expect(one.events.every(({ partition }) => partition === 1)).toBe(true)
    expect(one.events.map(({ sequence }) => Number(sequence))).toEqual(
      one.events.map((_each, at) => one.events.length - at),
    )
    for (const more of ['after=0:1', 'from=earliest', 'wait=1'])
      expect((await asks.ada('GET', `${path}/note/events?before=latest&${more}`)).status).toBe(400)
    expect((await asks.ops('GET', `${path}/note/events?before=latest`)).status).toBe(404)
    expect((await asks.pub('GET', `${path}/note/events?before=latest`)).status).toBe(403)
  })

  it('backwards have only events that the caller can see, and advance over others', async () => {
    const insert = async (ask: Ask, assignee: string): Promise<string> =>
      (await ask<{ id: string }>('POST', '/data/v3/task', { title: 't', assignee })).body.id
    const { cursor } = await page(asks.bob, 'changes.task', 'from=latest')
    const mine = await insert(asks.ada, 'ada')
    for (let at = 0; at < 3; at += 1) await insert(asks.bob, 'bob')
    for (let [found, after] = [0, cursor]; found < 3;) {
      const next = await page(asks.bob, 'changes.task', `after=${after}&wait=10`)
      found += next.events.length
      after = next.cursor
    }
    const ids: unknown[] = []
    for (let before = 'latest'; ;) {
      const next = await page(asks.ada, 'changes.task', `before=${before}&limit=1`)
      ids.push(...next.events.map(({ payload }) => payload.id))
      if (next.isAtEnd) break
      before = next.cursor
    }
    expect(ids).toEqual([mine])
  })
})

describe('events that were removed', () => {
  it('are a gap at the end of the pages backwards, and of what begins before them', async () => {
    const { start } = await page(asks.ada, 'note', 'from=earliest')
    const org = openOrg(test.dir)
    try {
      const channel = org.records.snapshots.active().names.channelId('note')!
      // A day that is not over yet.
      expect(await org.records.events.purge({ channel, days: -1, limit: 3 })).toBe(3)
    } finally {
      await org.close()
    }
    const gap = { reason: 'retention', partitions: [{ partition: 0, asked: '0', resumesAfter: '3' }] }
    const back = await page(asks.ada, 'note', 'before=latest&limit=1000')
    expect(back).toMatchObject({ isAtEnd: true, gap })
    expect(back.events).toHaveLength(texts.length - 3)
    // Only the last page has the gap.
    expect(await page(asks.ada, 'note', 'before=latest&limit=1')).toMatchObject({ isAtEnd: false, gap: null })
    for (const from of ['earliest', '1970-01-01', start])
      expect((await page(asks.ada, 'note', `from=${from}`)).gap).toEqual(gap)
    expect((await page(asks.ada, 'note', 'before=latest&partition=1&limit=1000')).gap).toBe(null)
    const { body } = await asks.ada<{ log: { partitions: object[] } }>('GET', `${path}/note`)
    expect(body.log.partitions[0]).toMatchObject({ first: '4', firstAt: expect.any(String) as string })
  })
})

describe('subscriptions', () => {
  const subscriptions = '/events/v3/subscriptions'
  const put = (ask: Ask, name: string, body: object, query = ''): ReturnType<Ask> =>
    ask('PUT', `${subscriptions}/${name}${query}`, body)
  const replay = (ask: Ask, name: string, query: string): Promise<Answer> =>
    ask('GET', `${subscriptions}/${name}/replay?${query}`)

  it('show how many events a move repeats or skips, and then move', async () => {
    const all = await page(asks.ada, 'note', 'from=earliest&limit=1000')
    const many = all.events.length
    await put(asks.ada, 'erp', { channel: 'note', from: 'latest' })
    const back = await replay(asks.ada, 'erp', 'from=earliest')
    expect(back.body).toEqual({ cursor: all.start, repeated: many, skipped: 0, gap: all.gap })
    const { commitTs } = all.events[4]!
    const at = all.events.findIndex((event) => event.commitTs === commitTs)
    expect((await replay(asks.ada, 'erp', `from=${commitTs}`)).body).toMatchObject({ repeated: many - at })
    const one = all.events.filter(({ partition }) => partition === 1).length
    const inOne = await replay(asks.ada, 'erp', 'from=1&partition=1')
    expect(inOne.body).toMatchObject({ repeated: one, skipped: 0 })
    expect((await replay(asks.ada, 'erp', 'from=1')).status).toBe(400)
    // In one partition, the others stay where they are.
    const moved = await put(asks.ada, 'erp', { channel: 'note', from: '1', partition: 1 })
    expect(moved.body).toMatchObject({ lag: one, cursor: inOne.body['cursor'] })
    expect((await replay(asks.ada, 'erp', 'from=latest')).body).toMatchObject({ repeated: 0, skipped: one })
    expect((await replay(asks.bob, 'erp', 'from=latest')).status).toBe(404)
    expect((await replay(asks.bob, 'erp', 'from=latest&owner=ada')).status).toBe(404)
  })

  it('of all users are counted, moved and deleted by operators, which the audit shows', async () => {
    const of = '?owner=ada'
    expect((await replay(asks.ops, 'erp', 'from=latest&owner=ada')).status).toBe(200)
    const moved = await put(asks.ops, 'erp', { channel: 'note', from: 'latest' }, of)
    expect(moved).toMatchObject({ status: 200, body: { owner: 'ada', name: 'erp', lag: 0 } })
    expect((await put(asks.ops, 'erp', { channel: 'note' })).status).toBe(404)
    expect((await put(asks.ops, 'new', { channel: 'note' }, of)).status).toBe(404)
    expect((await put(asks.ops, 'erp', { channel: 'changes.task' }, of)).status).toBe(409)
    expect((await put(asks.bob, 'erp', { channel: 'note' }, of)).status).toBe(404)
    expect((await asks.bob('DELETE', `${subscriptions}/erp${of}`)).status).toBe(404)
    expect((await asks.ops('DELETE', `${subscriptions}/erp${of}`)).status).toBe(204)
    const audit = await test.studio<{ rows: { kind: string; actor: string; component: string }[] }>(
      'GET',
      '/metadata/v3/audit?search=erp',
    )
    expect(audit.body.rows.map(({ kind, actor, component }) => [kind, actor, component]).sort()).toEqual([
      ['subscription.deleted', 'ops', 'subscription/ada/erp'],
      ['subscription.moved', 'ops', 'subscription/ada/erp'],
    ])
  })

  it('of a filter are counted, then deleted in parts: those of the caller, or of all users', async () => {
    for (const name of ['x1', 'x2', 'x3']) await put(asks.ada, name, { channel: 'note' })
    await put(asks.bob, 'x4', { channel: 'note' })
    const at = `${subscriptions}/deletions`
    const filter = { channel: 'note' }
    const counted = await asks.ada('POST', at, { filter, dryRun: true })
    expect(counted.body).toMatchObject({ deleted: 0, left: 3 })
    const { createdUpTo } = counted.body as { createdUpTo: string }
    // Others than operators delete their own alone.
    expect((await asks.bob('POST', at, { filter: { owner: 'ada' } })).body).toMatchObject({
      deleted: 0,
      left: 0,
    })
    const left = async (): Promise<unknown> =>
      (await asks.ops('GET', `${subscriptions}?channel=note`)).body['total']
    expect(await left()).toBe(4)
    expect((await asks.ada('POST', at, { filter, limit: 2 })).body).toMatchObject({ deleted: 2, left: 1 })
    expect(await left()).toBe(2)
    // What was created after it was counted stays.
    await new Promise((resolve) => setTimeout(resolve, 5))
    await put(asks.ada, 'x5', { channel: 'note' })
    expect((await asks.ada('POST', at, { filter, createdUpTo })).body).toMatchObject({ deleted: 1, left: 0 })
    expect(await left()).toBe(2)
    expect((await asks.ops('POST', at, { filter: {} })).body).toMatchObject({ deleted: 2, left: 0 })
    const audit = await test.studio('GET', '/metadata/v3/audit?kind=subscription.deleted')
    expect(audit.text).toContain('subscription/bob/x4')
    expect(audit.text).not.toContain('subscription/ada/x1')
  })

  it('are counted and audited once by requests that delete them at the same time', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `both${at}`)
    for (const name of names) await put(asks.ada, name, { channel: 'note' })
    const of = { filter: { channel: 'note', owner: 'ada' } }
    const parts = await Promise.all(
      [1, 2, 3].map(() => asks.ops<{ deleted: number }>('POST', `${subscriptions}/deletions`, of)),
    )
    expect(parts.reduce((sum, { body }) => sum + body.deleted, 0)).toBe(names.length)
    const audit = await test.studio<{ rows: { component: string }[] }>(
      'GET',
      '/metadata/v3/audit?kind=subscription.deleted&search=both&limit=200',
    )
    expect(audit.body.rows.map(({ component }) => component).sort()).toEqual(
      names.map((name) => `subscription/ada/${name}`).sort(),
    )
    await put(asks.ada, 'single', { channel: 'note' })
    const single = await Promise.all([1, 2].map(() => asks.ada('DELETE', `${subscriptions}/single`)))
    expect(single.map(({ status }) => status).sort()).toEqual([204, 404])
  })

  it('are filtered and paged, with those of removed channels', async () => {
    const names = ['a1', 'a2', 'a3']
    for (const name of names) await put(asks.ada, name, { channel: 'note', from: 'earliest' })
    await put(asks.bob, 'b1', { channel: 'changes.task' })
    interface List {
      subscriptions: { owner: string; name: string; channel: string | null; lag: number | null }[]
      total: number
      nextCursor: string | null
    }
    const list = async (ask: Ask, query: string): Promise<List> =>
      (await ask<List>('GET', `${subscriptions}?${query}`)).body
    const found: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const next: List = await list(asks.ops, `limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`)
      expect(next.total).toBe(4)
      found.push(...next.subscriptions.map(({ owner, name }) => `${owner}/${name}`))
      cursor = next.nextCursor
    }
    expect(found).toEqual(['ada/a1', 'ada/a2', 'ada/a3', 'bob/b1'])
    expect((await list(asks.ops, 'owner=bob')).subscriptions).toMatchObject([{ name: 'b1' }])
    expect((await list(asks.ops, 'channel=note')).total).toBe(3)
    expect((await list(asks.ada, 'owner=bob')).subscriptions).toEqual([])
    expect((await list(asks.ada, '')).subscriptions.map(({ name }) => name)).toEqual(names)
    const breaking = ['event_channel/note']
    const removal = { components: [], removals: breaking, breaking, rationale: 'test' }
    await test.studio('POST', '/metadata/v3/apply', removal)
    expect(await list(asks.ops, 'removed=true')).toMatchObject({
      total: 3,
      subscriptions: names.map((name) => ({ owner: 'ada', name, channel: null, lag: null })),
    })
    expect((await list(asks.ops, 'removed=false')).total).toBe(1)
    const gone = await replay(asks.ops, 'a1', 'from=latest&owner=ada')
    expect(gone).toMatchObject({ status: 404, body: { code: 'channel.not_found' } })
    expect((await asks.ops('DELETE', `${subscriptions}/a1?owner=ada`)).status).toBe(204)
  })
})
