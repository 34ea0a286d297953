// An approver of a change request sees the impact that its author saw, as far as they can see it.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fee, feeSet } from '../support/fees.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

interface Impact {
  changeDigest: string
  resolution: { total: number; items: { beforeWords: string; afterWords: string }[] }
}

let test: TestServer
const asks: Record<string, Ask> = {}
let path: string

const permissions = (key: string, systemPermissions: string[]) => ({
  type: 'permission_set',
  key,
  label: key,
  body: { systemPermissions },
})
const client = (key: string) => ({
  type: 'integration_client',
  key,
  label: key,
  body: { authScheme: 'oauth2_client_credentials', runAs: key },
})

beforeAll(async () => {
  test = await runningServer()
  const by = { actor: 'admin', correlationId: 't', isOperator: true as const }
  const apply = async (...components: unknown[]) =>
    expect((await test.studio('POST', '/metadata/v3/apply', { components })).status).toBe(200)
  await apply(
    feeSet(),
    fee('a', '1'),
    permissions('approvers', ['deploy.approve']),
    permissions('shapers', ['metadata.author']),
  )
  const held = { ines: 'administrator', ben: 'approvers', dan: 'shapers' }
  for (const [key, set] of Object.entries(held)) {
    await test.beside(({ access }) => access.addUser(by, { key, name: key, permissionSets: [set] }))
    await apply(client(key))
    asks[key] = test.bearer((await test.beside(({ access }) => access.issueToken(by, key))).token)
  }
  const request = await test.studio('POST', '/metadata/v3/change-requests', {
    components: [fee('a', '2')],
    rationale: 'Dearer.',
  })
  expect(request.status).toBe(201)
  path = `/metadata/v3/change-requests/${String(request.body['id'])}/impact`
})
afterAll(() => test.close())

it('an approver sees the impact that the author sees', async () => {
  const author = await test.studio<Impact>('POST', path, {})
  const approver = await asks['ines']!<Impact>('POST', path, {})
  expect(author.body.resolution.items).toMatchObject([{ beforeWords: '1.00', afterWords: '2.00' }])
  expect(approver.body).toEqual(author.body)
})

it('an approver sees no value that is hidden from them', async () => {
  const { status, text } = await asks['ben']!('POST', path, {})
  expect(status).toBe(200)
  expect(text).not.toMatch(/2\.00|1\.00/)
})

it('other users cannot see the impact, because it names users and their values', async () => {
  const { status, body } = await asks['dan']!('POST', path, {})
  expect([status, body['code']]).toEqual([403, 'access.denied'])
})
