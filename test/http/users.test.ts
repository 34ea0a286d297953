// A user who manages access assigns the permission sets of others (docs/reference/access.md).
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

const by = { actor: 'admin', correlationId: 't', isOperator: true as const }
const path = '/setup/v3/users/nob/permission-sets'
let test: TestServer
let nob: Ask

beforeAll(async () => {
  test = await runningServer()
  await test.beside(({ access }) => access.addUser(by, { key: 'nob', name: 'Nob' }))
  const components = [
    { type: 'permission_set', key: 'auditors', label: 'A', body: { systemPermissions: ['audit.read'] } },
    {
      type: 'integration_client',
      key: 'nob',
      label: 'Nob',
      body: { authScheme: 'oauth2_client_credentials', runAs: 'nob' },
    },
  ]
  expect((await test.studio('POST', '/metadata/v3/apply', { components })).status).toBe(200)
  nob = test.bearer((await test.beside(({ access }) => access.issueToken(by, 'nob'))).token)
})
afterAll(() => test.close())

it('users cannot assign permission sets to themselves', async () => {
  const { status, body } = await nob('PUT', path, { permissionSets: ['administrator'] })
  expect([status, body['code']]).toEqual([403, 'access.denied'])
})

it('permission sets apply from the next request on, and are in the audit', async () => {
  const { status, body } = await test.studio('PUT', path, { permissionSets: ['auditors', 'auditors'] })
  expect([status, body['permissionSets']]).toEqual([200, ['auditors']])
  const audit = await nob<{ rows: object[] }>('GET', '/metadata/v3/audit?component=user/nob&limit=1')
  expect(audit.body.rows).toMatchObject([
    {
      kind: 'user.changed',
      actor: 'admin',
      before: { permissionSets: [] },
      after: { permissionSets: ['auditors'] },
    },
  ])
})

it.each([
  ['nob', ['nil'], 422, 'request.invalid'],
  ['nil', [], 404, 'user.not_found'],
  ['admin', [], 422, 'request.invalid'],
])('permission sets of %s cannot be %j', async (key, permissionSets, status, code) => {
  const answer = await test.studio('PUT', `/setup/v3/users/${key}/permission-sets`, { permissionSets })
  expect([answer.status, answer.body['code']]).toEqual([status, code])
})
