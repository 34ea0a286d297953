// Events over HTTP: change capture, platform events, pages, streams, subscriptions.
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { apply, signIn } from '../support/billing-org.ts'
import { openStream } from '../support/event-stream.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

const rights = { create: true, read: true, update: true, delete: true }
const shown = { read: true, edit: true }

const components = (): object[] => [
  {
    ...{ type: 'object', key: 'task', label: 'Task' },
    body: {
      fields: [
        { key: 'title', type: 'text', aliases: ['name'] },
        { key: 'points', type: 'number', precision: 8, scale: 2 },
        { key: 'secret', type: 'text' },
        { key: 'assignee', type: 'text' },
        {
          ...{ key: 'double', type: 'number', precision: 8, scale: 2 },
          formula: { expression: 'points * 2', stored: true },
        },
      ],
      nameField: 'title',
      sharing: { default: 'private', ownerField: 'assignee' },
      capture: { enabled: true },
    },
  },
  {
    ...{ type: 'object', key: 'plain', label: 'Plain' },
    body: { fields: [{ key: 'title', type: 'text' }], nameField: 'title' },
  },
  {
    ...{ type: 'event_channel', key: 'paid', label: 'Paid' },
    body: {
      schema: [
        { key: 'number', type: 'text', required: true },
        { key: 'amount', type: 'number', precision: 12, scale: 2 },
        { key: 'task', type: 'reference', references: 'task' },
      ],
      partitionKey: 'number',
      maxBytes: 1024,
      read: { worker: 'read' },
      publish: { publisher: 'publish' },
    },
  },
  {
    ...{ type: 'automation', key: 'announce', label: 'Announce' },
    body: {
      ...{ object: 'task', phase: 'after_write', when: 'points > 100' },
      actions: [
        {
          type: 'publish',
          key: 'a',
          channel: 'paid',
          payload: { number: 'title', amount: 'points', task: 'id' },
        },
      ],
    },
  },
  {
    ...{ type: 'permission_set', key: 'worker', label: 'Worker' },
    body: {
      objects: { task: rights, plain: rights },
      fields: {
        ...Object.fromEntries(['title', 'points', 'assignee', 'double'].map((key) => [`task.${key}`, shown])),
        'plain.title': shown,
      },
    },
  },
  {
    ...{ type: 'permission_set', key: 'boss', label: 'Boss' },
    body: {
      objects: { task: { ...rights, viewAll: true, modifyAll: true } },
      fields: { 'task.secret': shown },
    },
  },
  { ...{ type: 'permission_set', key: 'publisher', label: 'Publisher' }, body: {} },
  {
    ...{ type: 'permission_set', key: 'operator', label: 'Operator' },
    body: { systemPermissions: ['operations.manage'] },
  },
]

let test: TestServer
let asks: Record<'ada' | 'bob' | 'boss' | 'pub' | 'nobody' | 'ops', Ask>
beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, components())
  asks = (await signIn(test, [
    { key: 'ada', permissionSets: ['worker'] },
    { key: 'bob', permissionSets: ['worker'] },
    { key: 'boss', permissionSets: ['worker', 'boss', 'publisher'] },
    { key: 'pub', permissionSets: ['publisher'] },
    { key: 'nobody', permissionSets: [] },
    { key: 'ops', permissionSets: ['operator'] },
  ])) as typeof asks
})
afterAll(() => test.close())

interface Event {
  eventId: string
  sequence: string
  partition: number
  commitTs: string
  correlationId: string
  payload: {
    id: string
    operation: string
    changed: Record<string, unknown>
    prior: Record<string, unknown>
    user: string
    number?: string
  }
}
interface Page {
  events: Event[]
  cursor: string
  isAtEnd: boolean
  gap: { reason: string; partitions: object[] } | null
}

const channel = '/events/v3/channels'
const page = async (ask: Ask, name: string, query: string): Promise<Page> => {
  const { status, text, body } = await ask<Page>('GET', `${channel}/${name}/events?${query}`)
  if (status !== 200) throw new Error(text)
  return body
}
/** The events after a cursor, once there are as many. */
const eventsAfter = async (ask: Ask, name: string, cursor: string, count: number): Promise<Event[]> => {
  const found: Event[] = []
  let after = cursor
  while (found.length < count) {
    const next = await page(ask, name, `after=${after}&wait=10`)
    if (next.events.length === 0) break
    found.push(...next.events)
    after = next.cursor
  }
  return found
}
const latest = async (ask: Ask, name: string): Promise<string> =>
  (await page(ask, name, 'from=latest')).cursor
const insert = async (ask: Ask, fields: object): Promise<string> => {
  const { status, text, body } = await ask<{ id: string }>('POST', '/data/v3/task', fields)
  if (status !== 201) throw new Error(text)
  return body.id
}
const patch = (ask: Ask, id: string, fields: object): ReturnType<Ask> =>
  ask('PATCH', `/data/v3/task/${id}`, fields, { 'if-match': '*' })

const tokenOf = (client: string): Promise<string> =>
  test.beside(async ({ access }) => {
    const by = { actor: 'admin', correlationId: 'c', isOperator: true }
    return (await access.issueToken(by as never, client)).token
  })

let cursor: string
beforeEach(async () => void (cursor = await latest(asks.boss, 'changes.task')))

describe('a change', () => {
  it('is an event with its values before and after, the user and the correlation id of the request', async () => {
    const { body } = await asks.ada<{ id: string; version: number }>(
      ...(['POST', '/data/v3/task', { title: 'a', points: '1.50', assignee: 'ada' }] as const),
      { 'x-correlation-id': 'corr-1' },
    )
    const { id } = body
    await asks.ada('PATCH', `/data/v3/task/${id}`, { points: '2' }, { 'if-match': '"1"' })
    await asks.ada('DELETE', `/data/v3/task/${id}`)
    const events = await eventsAfter(asks.boss, 'changes.task', cursor, 3)
    expect(events.map(({ payload }) => payload)).toEqual([
      {
        ...{ object: 'task', id, operation: 'insert', user: 'ada' },
        changed: { title: 'a', name: 'a', points: '1.50', assignee: 'ada', double: '3.00' },
        prior: { title: null, name: null, points: null, assignee: null, double: null },
      },
      {
        ...{ object: 'task', id, operation: 'update', user: 'ada' },
        changed: { points: '2.00', double: '4.00' },
        prior: { points: '1.50', double: '3.00' },
      },
      {
        ...{ object: 'task', id, operation: 'delete', user: 'ada' },
        changed: { title: null, name: null, points: null, assignee: null, double: null },
        prior: { title: 'a', name: 'a', points: '2.00', assignee: 'ada', double: '4.00' },
      },
    ])
    expect(events[0]!.correlationId).toBe('corr-1')
    const numbers = events.map(({ sequence }) => Number(sequence))
    expect(numbers).toEqual([numbers[0], numbers[0]! + 1, numbers[0]! + 2])
    expect(new Set(events.map(({ partition }) => partition)).size).toBe(1)
  })

  it('is an event only if the write was committed', async () => {
    const { body } = await asks.ada<{ results: { status: number }[] }>('POST', '/data/v3/task/batch', {
      allOrNone: true,
      records: [
        { op: 'insert', fields: { title: 'undone', assignee: 'ada' } },
        { op: 'insert', fields: { points: 'x' } },
      ],
    })
    expect(body.results).toHaveLength(2)
    const id = await insert(asks.ada, { title: 'done', assignee: 'ada' })
    const events = await eventsAfter(asks.boss, 'changes.task', cursor, 1)
    expect(events.map(({ payload }) => payload.id)).toEqual([id])
  })

  it('is received only by who can read the record, with hidden fields as null', async () => {
    const own = await insert(asks.boss, { title: 'for ada', assignee: 'ada', secret: 's' })
    await insert(asks.boss, { title: 'for bob', assignee: 'bob', secret: 't' })
    const deleted = await insert(asks.boss, { title: 'gone', assignee: 'ada', secret: 'u' })
    await asks.boss('DELETE', `/data/v3/task/${deleted}`)
    await eventsAfter(asks.boss, 'changes.task', cursor, 4)
    const events = await eventsAfter(asks.ada, 'changes.task', cursor, 3)
    expect(events.map(({ payload: { id, operation } }) => `${id} ${operation}`).sort()).toEqual(
      [`${own} insert`, `${deleted} insert`, `${deleted} delete`].sort(),
    )
    for (const { payload } of events) {
      expect(payload.changed['secret']).toBe(null)
      expect(payload.prior['secret']).toBe(null)
    }
    expect(JSON.stringify(events)).not.toContain('bob')
  })

  it('of a record that was given to another user is hidden from then on', async () => {
    const id = await insert(asks.boss, { title: 'moves', assignee: 'ada' })
    expect(await eventsAfter(asks.ada, 'changes.task', cursor, 1)).toHaveLength(1)
    await patch(asks.boss, id, { assignee: 'bob' })
    await eventsAfter(asks.boss, 'changes.task', cursor, 2)
    expect((await page(asks.ada, 'changes.task', `after=${cursor}`)).events).toEqual([])
    expect((await page(asks.bob, 'changes.task', `after=${cursor}`)).events).toHaveLength(2)
  })
})

describe('a channel', () => {
  it('does not exist for those without access, and not for objects that capture nothing', async () => {
    const at = (ask: Ask, name: string): ReturnType<Ask> => ask('GET', `${channel}/${name}/events`)
    for (const name of ['changes.task', 'paid', 'changes.plain', 'none'])
      expect(await at(asks.nobody, name)).toMatchObject({ status: 404, body: { code: 'channel.not_found' } })
    expect((await at(asks.ada, 'changes.plain')).status).toBe(404)
    expect(await at(asks.pub, 'paid')).toMatchObject({ status: 403 })
    const { body } = await asks.ada('GET', channel)
    expect(body).toMatchObject({
      channels: [
        { name: 'paid', kind: 'platform', mayRead: true, mayPublish: false },
        { name: 'changes.task', kind: 'changes', object: 'task', partitions: 4 },
      ],
    })
    expect((await asks.nobody('GET', channel)).body).toEqual({ channels: [] })
  })

  it('takes events that fit its schema, several together, and repeats none for one key', async () => {
    const before = await latest(asks.ada, 'paid')
    const publish = (ask: Ask, body: object, headers = {}): ReturnType<Ask> =>
      ask('POST', `${channel}/paid/publish`, body, headers)
    const first = await publish(
      asks.pub,
      { payload: { number: 'n1', amount: '12.5' } },
      { 'idempotency-key': 'k1' },
    )
    expect(first).toMatchObject({
      status: 202,
      body: { eventId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string },
    })
    const again = await publish(
      asks.pub,
      { payload: { number: 'n1', amount: '12.5' } },
      { 'idempotency-key': 'k1' },
    )
    expect(again.body).toEqual(first.body)
    const both = { events: [{ payload: { number: 'n2' } }, { payload: { number: 'n2', amount: 3 } }] }
    expect(await publish(asks.boss, both)).toMatchObject({
      status: 202,
      body: { eventIds: [{}, {}].map(() => expect.any(String) as string) },
    })
    const wrong = { events: [{ payload: { number: 'n3' } }, { payload: { amount: 'x', other: 1 } }] }
    const refused = await publish(asks.pub, wrong)
    expect(refused).toMatchObject({ status: 422, body: { code: 'event.invalid' } })
    expect(refused.text).toMatch(/Event 1/)
    expect(refused.text).toMatch(/number is required/)
    expect(refused.text).toMatch(/no field \\"other\\"/)
    expect(await publish(asks.ada, { payload: { number: 'n4' } })).toMatchObject({ status: 403 })
    const large = await publish(asks.pub, { payload: { number: 'x'.repeat(2000) } })
    expect(large).toMatchObject({ status: 422, body: { code: 'limit.event_too_large' } })
    expect(large.text).toMatch(/number/)
    expect(await asks.boss('POST', `${channel}/changes.task/publish`, { payload: {} })).toMatchObject({
      status: 422,
    })
    const events = await eventsAfter(asks.ada, 'paid', before, 3)
    expect(events.map(({ payload }) => payload)).toEqual(
      expect.arrayContaining([
        { number: 'n1', amount: '12.50', task: null },
        { number: 'n2', amount: null, task: null },
        { number: 'n2', amount: '3.00', task: null },
      ]),
    )
    expect(events).toHaveLength(3)
    const ordered = events.filter(({ payload }) => payload.number === 'n2')
    expect(Number(ordered[1]!.sequence)).toBe(Number(ordered[0]!.sequence) + 1)
  })

  it('takes what an automation publishes, and only with its save', async () => {
    const before = await latest(asks.ada, 'paid')
    const id = await insert(asks.ada, { title: 'big', points: '250', assignee: 'ada' })
    const [event] = await eventsAfter(asks.ada, 'paid', before, 1)
    expect(event!.payload).toEqual({ number: 'big', amount: '250.00', task: id })
  })

  it('refuses a save whose event is too large, naming the field', async () => {
    const component = {
      ...{ type: 'event_channel', key: 'small', label: 'Small' },
      body: { object: 'task', maxBytes: 1024, read: { worker: 'read' }, fields: ['title'] },
    }
    await apply(test.studio, [component])
    const { status, body } = await asks.ada('POST', '/data/v3/task', {
      title: 'y'.repeat(1500),
      assignee: 'ada',
    })
    expect({ status, body }).toMatchObject({ status: 422, body: { code: 'limit.event_too_large' } })
    expect(JSON.stringify(body)).toContain('title')
    // A declared channel takes the place of the other one, with its log.
    expect((await asks.ada('GET', `${channel}/changes.task/events`)).text).toMatch(/are in small/)
    const id = await insert(asks.ada, { title: 'narrow', points: '1', assignee: 'ada' })
    await patch(asks.ada, id, { points: '7' })
    await patch(asks.ada, id, { title: 'wide' })
    const events = await eventsAfter(asks.boss, 'small', cursor, 2)
    expect(events.map(({ payload }) => payload.changed)).toEqual([
      { title: 'narrow', name: 'narrow' },
      { title: 'wide', name: 'wide' },
    ])
    await test.studio('POST', '/metadata/v3/apply', {
      components: [],
      removals: ['event_channel/small'],
      rationale: 'test',
    })
  })
})

describe('a cursor', () => {
  it('of the future, of another channel or of a wrong form is recognised', async () => {
    await insert(asks.boss, { title: 'x', assignee: 'ada' })
    const paid = await latest(asks.ada, 'paid')
    const at = (after: string): ReturnType<Ask> =>
      asks.ada('GET', `${channel}/changes.task/events?after=${after}`)
    if (!paid.startsWith('-'))
      expect(await at(paid)).toMatchObject({ status: 400, body: { code: 'event.cursor' } })
    for (const wrong of ['x', '0:1,', '9:1', '0:-1', 'a.b.0:1', "';--"])
      expect(await at(encodeURIComponent(wrong))).toMatchObject({ status: 400 })
    const future = await page(asks.ada, 'changes.task', 'after=0:99999')
    expect(future.gap).toMatchObject({ reason: 'ahead', partitions: [{ partition: 0, asked: '99999' }] })
    const sequence = await page(asks.boss, 'changes.task', 'partition=0&after=0&limit=1')
    expect(sequence.gap).toBe(null)
    for (const wrong of ['limit=0', 'limit=1001', 'limit=1e2', 'wait=61', 'wait=-1'])
      expect([wrong, (await asks.ada('GET', `${channel}/changes.task/events?${wrong}`)).status]).toEqual([
        wrong,
        400,
      ])
  })

  it('that is invented cannot begin one epoch after the other', async () => {
    await insert(asks.boss, { title: 'x', assignee: 'ada' })
    await eventsAfter(asks.boss, 'changes.task', cursor, 1)
    const epochs = async (): Promise<{ epoch: number }[]> => {
      const { body } = await asks.boss<{ log: { epochs: { epoch: number }[] } }>(
        'GET',
        `${channel}/changes.task`,
      )
      return body.log.epochs
    }
    const [tag] = cursor.split('.')
    for (let epoch = 1; epoch < 6; epoch += 1) {
      const { gap } = await page(asks.ada, 'changes.task', `after=${tag}.${epoch}.0:99999`)
      expect(gap).toMatchObject({ reason: 'restored' })
    }
    expect((await epochs()).length).toBeLessThanOrEqual(1)
  })

  it('of an epoch that a restored log never had begins the one after it', async () => {
    await apply(test.studio, [
      {
        ...{ type: 'event_channel', key: 'older', label: 'Older' },
        body: {
          schema: [{ key: 'text', type: 'text' }],
          ...{ partitions: 1, read: { worker: 'read' }, publish: { publisher: 'publish' } },
        },
      },
    ])
    await asks.boss('POST', `${channel}/older/publish`, { payload: { text: 'one' } })
    const [event] = await eventsAfter(asks.boss, 'older', '-.0.0:0', 1)
    expect(event).toMatchObject({ sequence: '1' })
    const [tag] = (await latest(asks.boss, 'older')).split('.')
    // The log from which the copy was made had three epochs.
    const { gap, cursor: next } = await page(asks.boss, 'older', `after=${tag}.3.0:5`)
    expect(gap).toMatchObject({ reason: 'restored' })
    const mark = String(event!['eventId']).slice(-6)
    expect(next).toBe(`${tag}.4.0:1~${mark}`)
    expect((await page(asks.boss, 'older', `after=${next}`)).gap).toBe(null)
  })

  it('with the mark of a different event begins the epoch after its own, and a page backwards shows that too', async () => {
    await apply(test.studio, [
      {
        ...{ type: 'event_channel', key: 'parted', label: 'Parted' },
        body: {
          schema: [{ key: 'text', type: 'text' }],
          ...{ partitions: 1, read: { worker: 'read' }, publish: { publisher: 'publish' } },
        },
      },
    ])
    await asks.boss('POST', `${channel}/parted/publish`, { payload: { text: 'one' } })
    const [event] = await eventsAfter(asks.boss, 'parted', '-.0.0:0', 1)
    const [tag] = (await latest(asks.boss, 'parted')).split('.')
    const other = String(event!['eventId']).endsWith('0') ? 'fffff1' : 'fffff0'
    const gap = { reason: 'restored', partitions: [{ partition: 0, asked: '1', resumesAfter: '0' }] }
    const back = await page(asks.boss, 'parted', `before=${tag}.3.0:1~${other}`)
    expect(back).toMatchObject({ events: [], gap })
    // An epoch that the lost log has had is never begun again.
    expect(back.cursor).toBe(`${tag}.4.0:0`)
    const forth = await page(asks.boss, 'parted', `after=${tag}.3.0:1~${other}`)
    expect(forth.gap).toEqual(gap)
    expect(forth.events.map(({ eventId }) => eventId)).toEqual([event!['eventId']])
  })

  it('of other partitions shows that on a page backwards', async () => {
    const parted = (partitions: number): object => ({
      ...{ type: 'event_channel', key: 'wider', label: 'Wider' },
      body: {
        schema: [{ key: 'text', type: 'text' }],
        ...{ partitions, read: { worker: 'read' }, publish: { publisher: 'publish' } },
      },
    })
    await apply(test.studio, [parted(1)])
    await asks.boss('POST', `${channel}/wider/publish`, { payload: { text: 'one' } })
    await eventsAfter(asks.boss, 'wider', '-.0.0:0', 1)
    const before = await latest(asks.boss, 'wider')
    await apply(test.studio, [{ ...parted(2), breaking: true }])
    await asks.boss('POST', `${channel}/wider/publish`, { payload: { text: 'two' } })
    await eventsAfter(asks.boss, 'wider', before, 1)
    expect((await page(asks.boss, 'wider', `before=${before}`)).gap).toMatchObject({ reason: 'partitions' })
  })
})

describe('a page that waits', () => {
  const setSets = async (key: string, permissionSets: string[]): Promise<void> => {
    const { status } = await test.studio('PUT', `/setup/v3/users/${key}/permission-sets`, { permissionSets })
    expect(status).toBeLessThan(300)
  }
  it('is judged by the rights as its events arrive', async () => {
    const waiting = asks.bob('GET', `${channel}/changes.task/events?after=${cursor}&wait=20`)
    await wait(300)
    await setSets('bob', [])
    await insert(asks.boss, { title: 'removed in the meantime', assignee: 'bob' })
    const { status, text } = await waiting
    expect([status, text]).toEqual([404, expect.not.stringContaining('removed in the meantime')])
    await setSets('bob', ['worker'])
    cursor = await latest(asks.boss, 'changes.task')
    const hidden = page(asks.boss, 'changes.task', `after=${cursor}&wait=20`)
    await wait(300)
    await setSets('boss', ['worker', 'publisher'])
    try {
      const wrote = await test.studio('PUT', '/setup/v3/users/ada/permission-sets', {
        permissionSets: ['worker', 'boss'],
      })
      expect(wrote.status).toBeLessThan(300)
      await insert(asks.ada, { title: 'shown', secret: 'not shown', assignee: 'boss' })
      const { events } = await hidden
      expect(events).toMatchObject([{ payload: { changed: { title: 'shown', secret: null } } }])
    } finally {
      await setSets('ada', ['worker'])
      await setSets('boss', ['worker', 'boss', 'publisher'])
    }
  })
})

describe('a channel that gets a different object', () => {
  it('shows nothing of the changes of the first one to those who can read the second one', async () => {
    const object = (key: string): object => ({
      ...{ type: 'object', key, label: key },
      body: {
        ...{ fields: [{ key: 'title', type: 'text' }], nameField: 'title' },
        ...{ sharing: { default: 'read_write' }, capture: { enabled: true } },
      },
    })
    const over = (name: string): object => ({
      ...{ type: 'event_channel', key: 'moving', label: 'Moving' },
      body: { object: name, read: { seer: 'read' } },
    })
    const set = (key: string, name: string): object => ({
      ...{ type: 'permission_set', key, label: key },
      body: { objects: { [name]: { ...rights, viewAll: true } }, fields: { [`${name}.title`]: shown } },
    })
    const sets = [set('seer', 'second'), set('writer', 'first')]
    await apply(test.studio, [object('first'), object('second'), ...sets, over('first')])
    for (const [key, more] of Object.entries({ bob: 'seer', boss: 'writer' }))
      await test.studio('PUT', `/setup/v3/users/${key}/permission-sets`, {
        permissionSets: ['worker', 'boss', 'publisher', more],
      })
    const { status, body } = await asks.boss<{ id: string }>('POST', '/data/v3/first', { title: 'first' })
    expect(status).toBe(201)
    await apply(test.studio, [over('second')])
    expect((await asks.bob('POST', '/data/v3/second', { title: 'second' })).status).toBe(201)
    const events = await eventsAfter(asks.bob, 'moving', '-.0.0:0', 1)
    expect(events).toMatchObject([{ payload: { object: 'second', changed: { title: 'second' } } }])
    const back = await page(asks.bob, 'moving', 'before=latest')
    expect(JSON.stringify(back.events)).not.toContain(body.id)
    await test.studio('PUT', '/setup/v3/users/bob/permission-sets', { permissionSets: ['worker'] })
  })
})

describe('a stream', () => {
  const stream = (ask: 'ada' | 'boss', path: string, headers = {}): ReturnType<typeof openStream> =>
    openStream(`${test.url}${channel}/${path}`, { ...headersOf(ask), ...headers })
  const headersOf = (key: string): Record<string, string> => ({ authorization: `Bearer ${tokens[key]}` })
  const tokens: Record<string, string> = {}
  beforeAll(async () => {
    for (const key of ['ada', 'boss']) tokens[key] = await tokenOf(key)
  })

  it('brings each event with its cursor, and goes on after it', async () => {
    const first = await stream('ada', 'changes.task/subscribe')
    const ids: string[] = []
    for (const title of ['one', 'two', 'three']) ids.push(await insert(asks.ada, { title, assignee: 'ada' }))
    const frames = await first.events(3)
    first.close()
    const idOf = (frame: { data: unknown }): string => (frame.data as Event).payload.id
    expect(frames.map(idOf)).toEqual(expect.arrayContaining(ids))
    const second = await stream('ada', 'changes.task/subscribe', { 'last-event-id': frames[0]!.id! })
    const rest = await second.events(2)
    expect(rest.map(idOf).sort()).toEqual(frames.slice(1).map(idOf).sort())
    second.close()
  })

  it('advances the cursor over what its reader cannot see', async () => {
    const open = await stream('ada', 'changes.task/subscribe')
    const [start] = open.frames
    await insert(asks.boss, { title: 'hidden', assignee: 'bob' })
    const frame = await open.until(({ id, data }) => id !== null && id !== start?.id && data === null)
    expect(frame).toMatchObject({ event: '', data: null })
    open.close()
  })

  it('ends when its channel gets other partitions, and its cursor then shows the gap', async () => {
    const body = {
      schema: [{ key: 'text', type: 'text' }],
      read: { worker: 'read' },
      publish: { publisher: 'publish' },
    }
    const channelWith = (partitions: number): object => ({
      ...{ type: 'event_channel', key: 'split', label: 'Split' },
      body: { ...body, partitions },
    })
    await apply(test.studio, [channelWith(3)])
    const open = await stream('boss', 'split/subscribe')
    await asks.boss('POST', `${channel}/split/publish`, { payload: { text: 'one' } })
    const [frame] = await open.events(1)
    await apply(test.studio, [channelWith(2)])
    await asks.boss('POST', `${channel}/split/publish`, { payload: { text: 'two' } })
    await open.ended
    expect(JSON.stringify(open.frames)).not.toContain('two')
    const again = await stream('boss', 'split/subscribe', { 'last-event-id': frame!.id! })
    expect(await again.until(({ event }) => event === 'gap')).toMatchObject({
      data: { reason: 'partitions' },
    })
    const [next] = await again.events(1)
    expect(next!.data).toMatchObject({ payload: { text: 'two' } })
    again.close()
  })

  it('ends with the right to read its channel', async () => {
    await test.studio('POST', '/setup/v3/users', { key: 'temp', name: 'temp', permissionSets: ['worker'] })
    await apply(test.studio, [
      {
        type: 'integration_client',
        key: 'temp',
        label: 'temp',
        body: { authScheme: 'api_key', runAs: 'temp' },
      },
    ])
    const open = await openStream(`${test.url}${channel}/changes.task/subscribe`, {
      authorization: `Bearer ${await tokenOf('temp')}`,
    })
    expect(open.status).toBe(200)
    const changed = await test.studio('PUT', '/setup/v3/users/temp/permission-sets', { permissionSets: [] })
    expect(changed.status).toBeLessThan(300)
    await insert(asks.boss, { title: 'later', assignee: 'temp' })
    await open.ended
    expect(JSON.stringify(open.frames)).not.toContain('later')
  })
})

describe('a subscription', () => {
  it('to a channel without events goes on after its channel gets fewer partitions', async () => {
    const fewer = (partitions: number): object => ({
      ...{ type: 'event_channel', key: 'fewer', label: 'Fewer' },
      body: {
        schema: [{ key: 'text', type: 'text' }],
        ...{ partitions, read: { worker: 'read' }, publish: { publisher: 'publish' } },
      },
    })
    await apply(test.studio, [fewer(3)])
    const path = '/events/v3/subscriptions/fewer'
    const put = await asks.boss('PUT', path, { channel: 'fewer', from: 'latest' })
    expect(put.status).toBe(200)
    const start = await latest(asks.boss, 'fewer')
    expect(start).toBe('-.0.0:0,1:0,2:0')
    await apply(test.studio, [{ ...fewer(2), breaking: true }])
    expect(await asks.boss('GET', path)).toMatchObject({ status: 200, body: { lag: 0 } })
    expect((await asks.boss('GET', '/events/v3/subscriptions')).status).toBe(200)
    await asks.boss('POST', `${channel}/fewer/publish`, { payload: { text: 'one' } })
    const [event] = await eventsAfter(asks.boss, 'fewer', start, 1)
    expect(event).toMatchObject({ payload: { text: 'one' } })
    expect(await asks.boss('GET', path)).toMatchObject({ status: 200, body: { lag: 1 } })
    await asks.boss('DELETE', path)
  })

  it('is found by an alias of its object', async () => {
    const [task] = components() as { body: object }[]
    const named = (key: string, renamedFrom: string): object => ({ ...task, key, renamedFrom })
    const put = (name: string): ReturnType<Ask> =>
      asks.boss('PUT', '/events/v3/subscriptions/renamed', { channel: name, from: 'latest' })
    expect((await put('changes.task')).status).toBe(200)
    await apply(test.studio, [named('chore', 'task')])
    try {
      for (const name of ['changes.chore', 'changes.task']) {
        expect(await put(name)).toMatchObject({ status: 200, body: { channel: 'changes.chore' } })
        const list = await asks.boss('GET', `/events/v3/subscriptions?channel=${name}`)
        expect(list.body).toMatchObject({ total: 1 })
        const stream = await openStream(`${test.url}${channel}/${name}/subscribe?subscription=renamed`, {
          authorization: `Bearer ${await tokenOf('boss')}`,
        })
        expect([name, stream.status]).toEqual([name, 200])
        stream.close()
      }
      expect((await put('paid')).status).toBe(409)
    } finally {
      await asks.boss('DELETE', '/events/v3/subscriptions/renamed')
      await apply(test.studio, [named('task', 'chore')])
    }
  })

  it('keeps a cursor for its user alone, with its lag', async () => {
    const put = (ask: Ask, name: string, body: object): ReturnType<Ask> =>
      ask('PUT', `/events/v3/subscriptions/${name}`, body)
    expect(await put(asks.boss, 'erp', { channel: 'changes.task', from: 'latest' })).toMatchObject({
      status: 200,
      body: { name: 'erp', owner: 'boss', channel: 'changes.task', lag: 0, lagSince: null, ackedAt: null },
    })
    await insert(asks.boss, { title: 'lag', assignee: 'ada' })
    const [event] = await eventsAfter(asks.boss, 'changes.task', cursor, 1)
    const { body } = await asks.boss('GET', '/events/v3/subscriptions/erp')
    expect(body).toMatchObject({ lag: 1, lagSince: event!.commitTs })
    const { cursor: end } = await page(asks.boss, 'changes.task', `after=${cursor}`)
    const acked = await asks.boss('POST', '/events/v3/subscriptions/erp/ack', { cursor: end })
    expect(acked).toMatchObject({
      status: 200,
      body: { lag: 0, cursor: end, ackedAt: expect.any(String) as string },
    })
    expect((await asks.ada('GET', '/events/v3/subscriptions/erp')).status).toBe(404)
    expect((await asks.ada('DELETE', '/events/v3/subscriptions/erp?owner=boss')).status).toBe(404)
    expect((await asks.ada('GET', '/events/v3/subscriptions')).body).toEqual({
      ...{ subscriptions: [], total: 0, nextCursor: null },
    })
    const component = { type: 'object', key: 'task', label: 'Task' }
    const [task] = components() as { body: object }[]
    const off = { ...component, body: { ...task!.body, capture: { enabled: false } } }
    const refused = await test.studio('POST', '/metadata/v3/apply', { components: [off], rationale: 'test' })
    expect(refused.status).toBe(422)
    expect(refused.text).toMatch(/changes\.task has subscriptions, which would end: boss\/erp\./)
    expect(await put(asks.boss, 'erp', { channel: 'paid' })).toMatchObject({ status: 409 })
    expect((await put(asks.nobody, 'x', { channel: 'changes.task' })).status).toBe(404)
    expect((await asks.ops('GET', '/events/v3/subscriptions')).body).toMatchObject({
      subscriptions: [{ owner: 'boss', name: 'erp', channel: 'changes.task', lag: 0 }],
      total: 1,
    })
    expect((await asks.boss('DELETE', '/events/v3/subscriptions/erp')).status).toBe(204)
    expect((await asks.boss('GET', '/events/v3/subscriptions/erp')).status).toBe(404)
  })
})
