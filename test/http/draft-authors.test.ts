// An apply includes the drafts of the user who applies; those of others are named, and included only on purpose.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { operatorName } from '../../server/system/index.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

const by = { actor: 'admin', correlationId: 't', isOperator: true as const }

let test: TestServer
let mara: Ask

beforeAll(async () => {
  test = await runningServer()
  await apply([authors('config.author')])
  await test.beside(({ access }) =>
    access.addUser(by, { key: 'mara', name: 'Mara', permissionSets: ['authors'] }),
  )
  const body = { authScheme: 'oauth2_client_credentials', runAs: 'mara' }
  await apply([{ type: 'integration_client', key: 'mara', label: 'Mara', body }])
  mara = test.bearer((await test.beside(({ access }) => access.issueToken(by, 'mara'))).token)
})
afterAll(() => test.close())

const rights = 'permission_set/authors'
const sizes = 'value_set/sizes'
const authors = (...systemPermissions: string[]) => ({
  type: 'permission_set',
  key: 'authors',
  label: 'Authors',
  body: { systemPermissions },
})
const valueSet = { type: 'value_set', key: 'sizes', label: 'Sizes', body: { values: [] } }

async function apply(components: unknown[]): Promise<void> {
  expect((await test.studio('POST', '/metadata/v3/apply', { components })).status).toBe(200)
}

const save = (as: Ask, id: string, component: unknown, version = 0) =>
  as('PUT', `/setup/v3/drafts/${id}`, { text: JSON.stringify(component), version })

interface Listed {
  changes: { id: string }[]
  findings: { code: string; severity: string; component: string; message: string }[]
}
const plan = async (drafts: true | string[]) =>
  (await test.studio<Listed>('POST', '/metadata/v3/plan', { drafts })).body

describe('an apply of drafts', () => {
  beforeEach(async () => {
    const { drafts } = (await test.studio<{ drafts: { id: string }[] }>('GET', '/setup/v3/drafts')).body
    for (const { id } of drafts) await test.studio('DELETE', `/setup/v3/drafts/${id}`)
    expect((await save(mara, rights, authors('config.author', 'access.manage'))).status).toBe(200)
    expect((await save(test.studio, sizes, { ...valueSet, label: `Sizes ${Math.random()}` })).status).toBe(
      200,
    )
  })

  it('includes own drafts, and names those that it omits with their authors', async () => {
    const { changes, findings } = await plan(true)
    expect(changes.map(({ id }) => id)).toEqual([sizes])
    expect(findings.find(({ code }) => code === 'draft.left_out')?.message).toContain(`${rights} (mara)`)
    expect((await test.studio('POST', '/metadata/v3/apply', { drafts: true })).status).toBe(200)
    const { body } = await test.studio<{ drafts: { id: string }[] }>('GET', '/setup/v3/drafts')
    expect(body.drafts.map(({ id }) => id)).toEqual([rights])
  })

  it('includes the draft of another user by name, and states its author and the effect for them', async () => {
    const { changes, findings } = await plan([rights, sizes])
    expect(changes).toHaveLength(2)
    expect(findings).toContainEqual(
      expect.objectContaining({ code: 'draft.author', severity: 'info', component: rights }),
    )
    const gained = findings.find(({ code }) => code === 'draft.grants_author')
    expect(gained).toMatchObject({ severity: 'warning', component: rights })
    expect(gained?.message).toContain('gives mara new permissions: access.manage')
  })

  it('a draft that another user changed since still belongs to its author', async () => {
    await save(test.studio, rights, authors('config.author', 'audit.read'), 1)
    expect((await plan(true)).changes.map(({ id }) => id)).toEqual([sizes])
  })

  it('a draft that another user changed is not applied without a notice to its author', async () => {
    await save(test.studio, rights, authors('config.author', 'audit.read'), 1)
    const { body } = await mara<{ others: unknown; writers: Record<string, { user: string }[]> }>(
      'GET',
      '/setup/v3/draft-names',
    )
    expect(body.others).toMatchObject({ [rights]: 'admin' })
    expect(body.writers[rights]?.map(({ user }) => user)).toEqual(['mara', 'admin'])
  })

  it('the names of drafts come with the authors of those of others', async () => {
    const { body } = await test.studio('GET', '/setup/v3/draft-names')
    const mara = { user: 'mara', operator: null }
    const you = { user: 'admin', operator: operatorName() }
    expect(body).toEqual({
      ...{ drafts: [rights, sizes], others: { [rights]: 'mara' }, you },
      writers: { [rights]: [mara] },
    })
  })
})
