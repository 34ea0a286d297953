// The findings of the org change with its users as well as its drafts and generations.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runningServer, type TestServer } from '../support/running-server.ts'

const by = { actor: 'admin', correlationId: 't', isOperator: true as const }
const flag = {
  type: 'feature_flag',
  key: 'hint',
  label: 'Hint',
  body: {
    owner: { user: 'nob' },
    expiresOn: '2099-01-01',
    rationale: 'A trial',
    default: true,
    read: { administrator: 'read' },
    edit: { administrator: 'edit' },
  },
}
let test: TestServer

beforeAll(async () => {
  test = await runningServer()
  await test.beside(({ access }) => access.addUser(by, { key: 'nob', name: 'Nob' }))
  expect((await test.studio('POST', '/metadata/v3/apply', { components: [flag] })).status).toBe(200)
})
afterAll(() => test.close())

const problems = async (): Promise<string[]> => {
  const { body } = await test.studio<{ findings: { code: string }[] }>('GET', '/setup/v3/problems')
  return body.findings.map(({ code }) => code)
}

it('problems list a flag once its owner is deactivated, and not after the owner is active again', async () => {
  expect(await problems()).toEqual([])
  await test.beside(({ access }) => access.changeUser(by, 'nob', { active: false }))
  expect(await problems()).toEqual(['flag.owner'])
  await test.beside(({ access }) => access.changeUser(by, 'nob', { active: true }))
  expect(await problems()).toEqual([])
})
