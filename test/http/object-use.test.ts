// The names of objects that registered clients use, and the deploys that would take one of them away.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apply, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

let test: TestServer
let ada: Ask

const note = (key: string, more: object = {}, envelope: object = {}): object => ({
  ...{ type: 'object', key, label: key, ...envelope },
  body: { storage: 'local', fields: [{ key: 'title', type: 'text' }], ...more },
})
const clerkOf = (...objects: string[]): object => ({
  ...{ type: 'permission_set', key: 'clerk', label: 'Clerk' },
  body: {
    objects: Object.fromEntries(objects.map((key) => [key, { create: true, read: true, delete: true }])),
    fields: Object.fromEntries(objects.map((key) => [`${key}.title`, { read: true, edit: true }])),
  },
})

beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, [note('note'), note('memo'), clerkOf('note', 'memo')])
  ;({ ada } = (await signIn(test, [{ key: 'ada', permissionSets: ['clerk'] }])) as { ada: Ask })
  await apply(test.studio, [note('page', {}, { renamedFrom: 'note' })])
})
afterAll(() => test.close())

const query = (object: string) => ada('POST', '/data/v3/query', { object, fields: ['title'] })
/** Uses are written once a second. */
async function untilUsed(name: string): Promise<object[]> {
  for (;;) {
    const { body } = await test.studio<{ uses: { name: string }[] }>('GET', '/setup/v3/clients/ada/uses')
    if (body.uses.some((use) => use.name === name)) return body.uses
    await new Promise((done) => setTimeout(done, 50))
  }
}
async function findings(list: object): Promise<unknown[]> {
  const { body } = await test.studio('POST', '/metadata/v3/plan', list)
  return (body['findings'] as Record<string, string>[])
    .filter(({ code }) => code === 'deploy.field_in_use')
    .map(({ severity, path, message }) => [severity, path, message])
}
const used = /^note, a name of page, was last used by ada on .* \(UTC\)\.$/
const without = note('page', { aliases: [] })

it('a former name of an object can be retired only if no client uses it, or if it is confirmed', async () => {
  expect(await findings({ components: [without] })).toEqual([])
  expect((await query('note')).status).toBe(200)
  expect(await untilUsed('note')).toContainEqual(
    expect.objectContaining({ kind: 'object', object: 'page', field: null, name: 'note' }),
  )
  expect(await findings({ components: [without] })).toEqual([
    ['error', '/body/aliases', expect.stringMatching(used)],
  ])
  const refused = await test.studio('POST', '/metadata/v3/apply', { components: [without] })
  expect([refused.status, refused.body['code']]).toEqual([409, 'deploy.field_in_use'])
  const confirmed = { ...without, breaking: true }
  expect(await findings({ components: [confirmed] })).toEqual([
    ['warning', '/body/aliases', expect.stringMatching(used)],
  ])
  await apply(test.studio, [confirmed])
  expect((await query('note')).status).toBe(404)
})

it('an object that a client uses is removed only if that is confirmed, which is in the audit', async () => {
  await query('memo')
  await untilUsed('memo')
  const list = { removals: ['object/memo'], components: [clerkOf('page')] }
  expect(await findings(list)).toEqual([
    ['error', '', expect.stringMatching(/^memo was last used by ada on .* \(UTC\)\.$/)],
  ])
  const confirmed = { ...list, breaking: ['object/memo'] }
  expect(await findings(confirmed)).toEqual([['warning', '', expect.any(String)]])
  const both = { ...confirmed, breaking: ['permission_set/clerk'] }
  const malformed = await test.studio('POST', '/metadata/v3/plan', both)
  expect([malformed.status, malformed.body['code']]).toEqual([400, 'request.malformed'])

  // A change request keeps the confirmation.
  const made = await test.studio<{ id: string; digest: string }>(
    ...(['POST', '/metadata/v3/change-requests', { ...confirmed, rationale: 'test' }] as const),
  )
  const path = `/metadata/v3/change-requests/${made.body.id}`
  const done = await test.studio('POST', `${path}/apply`, { digest: made.body.digest })
  expect([done.status, done.text]).toEqual([200, expect.any(String)])
  const { body } = await test.studio<{ rows: object[] }>('GET', '/metadata/v3/audit?component=object/memo')
  expect(body.rows[0]).toMatchObject({ kind: 'removed', hints: { breaking: true } })
})
