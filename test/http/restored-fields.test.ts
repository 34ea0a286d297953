// A rollback and a revert bring removed and renamed fields back with the values that records still have.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { apply, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

let test: TestServer
let ada: Ask
let before: number
let id: string

const objectOf = (fields: readonly object[]): object => ({
  ...{ type: 'object', key: 'note', label: 'Note' },
  body: { storage: 'local', sharing: { default: 'read_write', rules: [] }, fields },
})
const title = { key: 'title', type: 'text' }
const text = { key: 'text', type: 'text' }
const clerkOf = (...keys: string[]): object => ({
  ...{ type: 'permission_set', key: 'clerk', label: 'Clerk' },
  body: {
    objects: { note: { create: true, read: true, update: true } },
    fields: Object.fromEntries(keys.map((key) => [`note.${key}`, { read: true, edit: true }])),
  },
})

beforeEach(async () => {
  test = await runningServer()
  await apply(test.studio, [objectOf([title, text]), clerkOf('title', 'text')])
  ;({ ada } = (await signIn(test, [{ key: 'ada', permissionSets: ['clerk'] }])) as { ada: Ask })
  before = await active()
})
afterEach(() => test.close())

async function active(): Promise<number> {
  const { body } = await test.studio<{ active: number }>('GET', '/metadata/v3/generations?limit=1')
  return body.active
}
const post = (path: string, body: object) => test.studio('POST', `/metadata/v3/${path}`, body)
const valueOf = async (field: string): Promise<unknown> =>
  (await ada<{ fields: Record<string, unknown> }>('GET', `/data/v3/note/${id}?fields=${field}`)).body.fields[
    field
  ]

async function add(): Promise<void> {
  const saved = await ada<{ id: string }>('POST', '/data/v3/note', { title: 'a', text: 'keep me' })
  id = saved.body.id
}

it('a rollback over a removal brings the values back', async () => {
  await add()
  const without = { ...objectOf([title]), breaking: true }
  const removed = await post('apply', { components: [without, clerkOf('title')], rationale: 'test' })
  expect(removed.status).toBe(200)
  const done = await post('rollback', { generation: before, rationale: 'test' })
  expect([done.status, done.text]).toEqual([200, expect.any(String)])
  expect(await valueOf('text')).toBe('keep me')
})

it('a revert of a removal brings the values back', async () => {
  await add()
  const without = { ...objectOf([title]), breaking: true }
  await post('apply', { components: [without, clerkOf('title')], rationale: 'test' })
  const done = await post('revert', { generation: await active(), rationale: 'test' })
  expect([done.status, done.text]).toEqual([200, expect.any(String)])
  expect(await valueOf('text')).toBe('keep me')
})

it('a rollback over a rename keeps the values, and loses nothing', async () => {
  await add()
  const renamed = objectOf([title, { key: 'words', type: 'text', aliases: ['text'] }])
  await apply(test.studio, [renamed, clerkOf('title', 'words')])
  expect(await valueOf('words')).toBe('keep me')
  const planned = await post('plan', { generation: before })
  expect(JSON.stringify(planned.body)).not.toContain('object.values_lost')
  const done = await post('rollback', { generation: before, rationale: 'test', breaking: ['object/note'] })
  expect(done.status).toBe(200)
  expect(await valueOf('text')).toBe('keep me')
})

it('a field that is removed and added again by hand is a new one', async () => {
  await add()
  const without = { ...objectOf([title]), breaking: true }
  await post('apply', { components: [without, clerkOf('title')], rationale: 'test' })
  await apply(test.studio, [objectOf([title, text]), clerkOf('title', 'text')])
  expect(await valueOf('text')).toBeNull()
})

it.each(['a rollback', 'a revert'])(
  '%s that was approved as a change request brings the values back',
  async (kind) => {
    await add()
    const without = { ...objectOf([title]), breaking: true }
    await post('apply', { components: [without, clerkOf('title')], rationale: 'test' })
    const list = kind === 'a rollback' ? { generation: before } : { revert: { generation: await active() } }
    const made = await post('change-requests', { ...list, rationale: 'test' })
    expect([made.status, made.text]).toEqual([201, expect.any(String)])
    const { request } = { request: made.body as { id: string; revision: number } }
    // An edit keeps what the request restores.
    const edited = await test.studio('PUT', `/metadata/v3/change-requests/${request.id}`, {
      ...{ revision: request.revision, title: 'Edited' },
    })
    expect([edited.status, edited.text]).toEqual([200, expect.any(String)])
    const { digest } = edited.body as { digest: string }
    const done = await post(`change-requests/${request.id}/apply`, { digest })
    expect([done.status, done.text]).toEqual([200, expect.any(String)])
    expect(await valueOf('text')).toBe('keep me')
  },
)
