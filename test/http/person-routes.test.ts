// Passwords, one-time links and new tokens require a signed-in user: a bearer token, of a user or of a client, is
// refused.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../server/http/routes/index.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

const operator = { actor: 'admin', correlationId: 'c', isOperator: true }
const client = {
  type: 'integration_client',
  key: 'robot',
  label: 'Robot',
  body: { authScheme: 'oauth2_client_credentials', runAs: 'admin' },
}
const personal = routes.flatMap((route) =>
  route.access === 'signed_in' && route.person === true ? [route] : [],
)

let test: TestServer
const bearers: Record<string, Ask> = {}
beforeAll(async () => {
  test = await runningServer()
  await test.studio('POST', '/metadata/v3/apply', { components: [client] })
  await test.beside(async ({ access }) => {
    await access.addUser(operator, { key: 'mara', name: 'Mara' })
    bearers['a user'] = test.bearer((await access.issuePersonToken(operator, 'token')).secret)
    bearers['a client'] = test.bearer((await access.issueToken(operator, 'robot')).token)
  })
})
afterAll(() => test.close())

it('the routes that make a password or a token, or view as a user, require a signed-in user', () => {
  expect(personal.map(({ name }) => name).sort()).toEqual([
    'changePassword',
    'inviteUser',
    'mintToken',
    'setUserPassword',
    'startConsent',
    'viewAsUser',
  ])
})

describe.each(['a user', 'a client'])('a bearer token of %s', (of) => {
  it.each(personal.map(({ method, path }) => [method, path] as const))(
    'is refused at %s %s',
    async (method, path) => {
      const answer = await bearers[of]!(method.toUpperCase(), path.replace('{key}', 'mara'), {})
      expect([answer.status, answer.body['code']]).toEqual([403, 'access.denied'])
      expect(answer.body['detail']).toContain('A bearer token cannot do this')
    },
  )

  it('cannot add a user with a password, but can add one without', async () => {
    const key = of.replace(' ', '_')
    const add = (more: object) => bearers[of]!('POST', '/setup/v3/users', { key, name: 'New', ...more })
    expect((await add({ password: 'correct horse battery' })).status).toBe(403)
    expect((await add({})).status).toBe(201)
  })
})

it('the OpenAPI document lists no bearer token for those routes', async () => {
  const { body } = await test.studio<{ paths: Record<string, Record<string, { security?: object[] }>> }>(
    'GET',
    '/openapi.json',
  )
  for (const { method, path } of personal) {
    const { security = [{ bearer: [] }] } = body.paths[path]![method]!
    expect(security.length).toBeGreaterThan(0)
    expect(security).not.toContainEqual({ bearer: [] })
  }
})
