// Renames on every route: swaps, two components renamed from one, the alias of an object, and what a rename does not
// change.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runningServer, type TestServer } from '../support/running-server.ts'
import { administrator } from '../support/small-org.ts'

interface Found {
  code: string
  component: string
  message: string
  related: { component: string }[]
}
interface Plan {
  changes: { kind: string; id: string; renamedFrom?: string }[]
  findings: Found[]
}

const set = (key: string, label = key) => ({
  type: 'config_set',
  key,
  label,
  body: {
    cardinality: 'singleton',
    scopes: ['app', 'org'],
    fields: [{ key: 'v', type: 'text', required: true }],
    ...administrator,
  },
})
const entry = (of: string, v: string) => ({
  type: 'config_entry',
  key: `${of}.all`,
  label: 'All',
  body: { set: of, scope: { kind: 'org' }, values: { v } },
})
const object = (key: string) => ({
  type: 'object',
  key,
  label: 'Bill',
  body: { fields: [{ key: 'name', type: 'text', label: 'Name' }], nameField: 'name' },
})
const from = <T extends object>(component: T, renamedFrom: string) => ({ ...component, renamedFrom })

let test: TestServer
beforeAll(async () => {
  test = await runningServer()
})
afterAll(() => test.close())
beforeEach(async () => {
  const { body } = await test.studio<{ drafts: { id: string }[] }>('GET', '/setup/v3/drafts')
  for (const { id } of body.drafts) await test.studio('DELETE', `/setup/v3/drafts/${id}`)
})

const post = <T = Record<string, unknown>>(path: string, body: object) => test.studio<T>('POST', path, body)
const applied = async (components: object[]) => {
  const { status, body } = await post('/metadata/v3/apply', { components, rationale: 'Because.' })
  expect([status, body['detail']]).toEqual([200, undefined])
}
const component = async (id: string) =>
  (
    await test.studio<{ component: { body: Record<string, unknown> } }>(
      'GET',
      `/metadata/v3/components/${id}`,
    )
  ).body.component
const saved = async (id: string, text: object) => {
  const { status } = await test.studio('PUT', `/setup/v3/drafts/${id}`, {
    text: JSON.stringify(text),
    version: 0,
  })
  expect(status).toBe(200)
}

describe('two components renamed from one', () => {
  const both = [from(set('c'), 'one'), from(set('d'), 'one')]
  const twice = expect.objectContaining({
    code: 'component.rename_twice',
    component: 'config_set/c',
    message: expect.stringContaining(
      'config_set/c and config_set/d are both renamed from config_set/one',
    ) as string,
  }) as Found

  beforeAll(() => applied([set('one'), entry('one', '1')]))
  it.each(['validate', 'plan', 'apply'])('are a finding that names both: %s', async (door) => {
    const { status, body } = await post(`/metadata/v3/${door}`, { components: both })
    const findings = (door === 'apply' ? body['details'] : body['findings']) as Found[]
    expect([status, findings]).toEqual([door === 'apply' ? 422 : 200, expect.arrayContaining([twice])])
  })

  it('are a finding among drafts too', async () => {
    for (const each of both) await saved(`config_set/${each.key}`, each)
    const planned = await post<Plan>('/metadata/v3/plan', { drafts: true })
    expect(planned.body.findings).toContainEqual(twice)
    const refused = await post('/metadata/v3/apply', { drafts: true })
    expect([refused.status, refused.body['code']]).toEqual([422, 'deploy.invalid'])
  })
})

describe('a renamed object', () => {
  it('keeps its old key as an alias, in its file', async () => {
    await applied([object('bill')])
    await applied([from(object('receipt'), 'bill')])
    expect((await component('object/receipt')).body['aliases']).toEqual(['bill'])
  })

  it('keeps its old key as an alias, with the rename route', async () => {
    await applied([object('order')])
    await post('/metadata/v3/rename', { type: 'object', from: 'order', to: 'purchase' })
    const { status } = await post('/metadata/v3/apply', { drafts: true, rationale: 'Because.' })
    expect([status, (await component('object/purchase')).body['aliases']]).toEqual([200, ['order']])
  })
})

describe('a rename among drafts', () => {
  const renamed = (from: string, to: string) =>
    post<{ drafts: string[]; code: string; detail: string }>('/metadata/v3/rename', {
      type: 'object',
      from,
      to,
    })
  const drafts = async () =>
    (await test.studio<{ drafts: { id: string; text: string | null }[] }>('GET', '/setup/v3/drafts')).body
      .drafts
  const draftsAre = async (expected: object) =>
    expect(
      Object.fromEntries(
        (await drafts()).map(({ id, text }) => [id, text === null ? null : JSON.parse(text)]),
      ),
    ).toEqual(expected)
  const holding = (key: string, more: object = {}) => expect.objectContaining({ key, ...more }) as object

  beforeAll(() => applied([object('note')]))

  it('renamed again is one draft, from either key, and returns to the first', async () => {
    await renamed('note', 'memo')
    await renamed('note', 'letter')
    await draftsAre({ 'object/letter': holding('letter', { renamedFrom: 'note' }) })
    await renamed('letter', 'epistle')
    await draftsAre({ 'object/epistle': holding('epistle', { renamedFrom: 'note' }) })
    expect((await renamed('epistle', 'note')).status).toBe(200)
    await draftsAre({})
  })

  it('includes what was edited, under each key', async () => {
    await saved('object/note', { ...object('note'), label: 'A longer note' })
    await renamed('note', 'memo')
    await renamed('memo', 'letter')
    await draftsAre({ 'object/letter': holding('letter', { label: 'A longer note', renamedFrom: 'note' }) })
    await renamed('letter', 'note')
    await draftsAre({ 'object/note': holding('note', { label: 'A longer note' }) })
  })

  it('of a component that is only a draft needs no earlier key', async () => {
    await saved('object/fresh', object('fresh'))
    expect((await renamed('fresh', 'fresher')).body.drafts).toEqual(['object/fresher'])
    await draftsAre({ 'object/fresher': expect.not.objectContaining({ renamedFrom: 'fresh' }) as object })
  })

  it.each([
    [
      'text that cannot be read',
      '{ "type": "object", "key": "note", "label": "A lot of w',
      'cannot be read yet',
    ],
    ['a removal', null, 'removes the component'],
  ])('keeps %s', async (_what, text, words) => {
    await test.studio('PUT', '/setup/v3/drafts/object/note', { text, version: 0 })
    const { status, body } = await renamed('note', 'memo')
    expect([status, body.code, body.detail]).toEqual([
      422,
      'request.invalid',
      expect.stringContaining(`The draft of object/note ${words}`),
    ])
    expect(await drafts()).toEqual([expect.objectContaining({ id: 'object/note', text })])
  })

  it('keeps its base, so a later change is a conflict', async () => {
    await saved('object/note', { ...object('note'), label: 'A longer note' })
    await applied([{ ...object('note'), label: 'A short note' }])
    await renamed('note', 'memo')
    const planned = await post('/metadata/v3/plan', { drafts: true })
    expect([planned.status, planned.body['code']]).toEqual([409, 'conflict.stale_generation'])
    await applied([object('note')])
  })

  it('to its own key, or to one in use, is refused', async () => {
    for (const to of ['note', 'receipt'])
      expect((await renamed('note', to)).body.code).toBe('conflict.exists')
  })
})

describe('a frozen flag', () => {
  const app = (key: string) => ({
    type: 'app',
    key,
    label: 'Shop',
    body: { objects: [], pages: [], flows: [], order: 1 },
  })
  const flag = {
    type: 'feature_flag',
    key: 'trial',
    label: 'Trial',
    body: {
      default: false,
      owner: { user: 'admin' },
      expiresOn: '2020-01-01',
      rationale: 'Until the bank agrees.',
      scopes: ['app', 'org'],
      ...administrator,
    },
  }
  const scoped = {
    type: 'config_entry',
    key: 'trial.shop',
    label: 'Shop',
    body: { set: 'trial', scope: { kind: 'app', app: 'shop' }, values: { value: true } },
  }

  it('does not prevent renaming an app that it names, or renaming it back by a rollback', async () => {
    await applied([app('shop'), flag, scoped])
    const { body } = await test.studio<{ generation: { generation: number } }>('GET', '/setup/v3/org')
    await applied([from(app('store'), 'shop')])
    expect((await component('config_entry/trial.shop')).body['scope']).toEqual({ kind: 'app', app: 'store' })
    const back = await post('/metadata/v3/rollback', { generation: body.generation.generation })
    expect([back.status, back.body['detail']]).toEqual([200, undefined])
    expect((await component('config_entry/trial.shop')).body['scope']).toEqual({ kind: 'app', app: 'shop' })
  })
})
