// Discarded drafts are restored exactly, and the drafts of other users are not discarded by accident.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

const by = { actor: 'admin', correlationId: 't', isOperator: true as const }
const path = '/setup/v3/discarded-drafts'
const [red, blue] = ['value_set/red', 'value_set/blue']
let test: TestServer
let mara: Ask

beforeAll(async () => {
  test = await runningServer()
  const components = [
    {
      type: 'permission_set',
      key: 'authors',
      label: 'Authors',
      body: { systemPermissions: ['metadata.author'] },
    },
  ]
  expect((await test.studio('POST', '/metadata/v3/apply', { components })).status).toBe(200)
  mara = test.bearer(
    (
      await test.beside(async ({ access }) => {
        await access.addUser(by, { key: 'mara', name: 'Mara', permissionSets: ['authors'] })
        return access.issuePersonToken({ actor: 'mara', correlationId: 't' }, 'token')
      })
    ).secret,
  )
})
afterAll(() => test.close())

const save = async (as: Ask, id: string, text: string, version = 0): Promise<void> => {
  expect((await as('PUT', `/setup/v3/drafts/${id}`, { text, version })).status).toBe(200)
}
const drafts = async (): Promise<{ id: string }[]> =>
  (await test.studio<{ drafts: { id: string }[] }>('GET', '/setup/v3/drafts')).body.drafts
const offer = async (): Promise<{ id: string; drafts: string[] } | null> =>
  (await test.studio<{ discarded: { id: string; drafts: string[] } | null }>('GET', path)).body.discarded

beforeEach(async () => {
  for (const { id } of await drafts()) await test.studio('DELETE', `/setup/v3/drafts/${id}`)
  await save(test.studio, red, '{ "half')
  await save(test.studio, red, '{ "half typed', 1)
  await save(mara, blue, '{ "label": "Blue" }')
})

it('only own drafts are discarded, and restored with text, version, author and time', async () => {
  const before = await drafts()
  const discarded = await test.studio('POST', path, { drafts: 'own' })
  expect([discarded.status, discarded.body['drafts']]).toEqual([201, [red]])
  expect((await drafts()).map(({ id }) => id)).toEqual([blue])
  const { id } = (await offer())!
  expect((await mara<{ discarded: null }>('GET', path)).body.discarded).toBeNull()
  expect((await mara('POST', `${path}/${id}/restore`)).status).toBe(404)
  expect((await test.studio('POST', `${path}/${id}/restore`)).status).toBe(200)
  expect(await drafts()).toEqual(before)
  expect(await offer()).toBeNull()
})

it('drafts of others are discarded only on request, and keep their author', async () => {
  const before = await drafts()
  const refused = await test.studio('POST', path, { drafts: [red, blue] })
  expect([refused.status, refused.body['code'], refused.body['details']]).toEqual([
    409,
    'conflict.stale_draft',
    [{ id: blue }],
  ])
  expect(refused.body['detail']).toContain('mara wrote or changed the draft of value_set/blue')
  expect(await drafts()).toEqual(before)
  const { body } = await test.studio('POST', path, { drafts: [red, blue], others: true })
  expect(await drafts()).toEqual([])
  await test.studio('POST', `${path}/${String(body['id'])}/restore`)
  expect(await drafts()).toEqual(before)
})

it('drafts are not restored over newer drafts', async () => {
  const { body } = await test.studio('POST', path, { drafts: [red] })
  await save(mara, red, '{ "mine": 1 }')
  const refused = await test.studio('POST', `${path}/${String(body['id'])}/restore`)
  expect([refused.status, refused.body['code']]).toEqual([409, 'conflict.stale_draft'])
  expect(await offer()).not.toBeNull()
  expect((await test.studio('DELETE', `${path}/${String(body['id'])}`)).status).toBe(204)
  expect(await offer()).toBeNull()
})
