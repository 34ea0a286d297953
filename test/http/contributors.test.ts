// A change request records the authors of its drafts: none of them can approve it, and a token
// records the operator who created it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ChangeRequestDetailOf, ChangeRequestSummary } from '#kernel/requests/index.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'
import { operatorName } from '../../server/system/index.ts'
import { fee, feeSet } from '../support/fees.ts'

const operator = { actor: 'admin', correlationId: 'c', isOperator: true }
const path = '/metadata/v3/change-requests'
const a = 'config_entry/fee.a'
const password = 'correct horse battery'

let test: TestServer
let ines: Ask
let jon: Ask
let kim: Ask
beforeEach(async () => {
  test = await runningServer()
  for (const key of ['ines', 'jon', 'kim'])
    await test.beside(({ access }) =>
      access.addUser(operator, { key, name: key, permissionSets: ['administrator'], password }),
    )
  await test.studio('POST', '/metadata/v3/apply', { components: [feeSet(), fee('a', '1'), client] })
  ines = await signedIn('ines')
  jon = await signedIn('jon')
  kim = await signedIn('kim')
  await test.studio('PUT', '/setup/v3/approvals', { required: 1 })
})
afterEach(() => test.close())

const client = {
  type: 'integration_client',
  key: 'kim_client',
  label: 'Kim',
  body: { authScheme: 'oauth2_client_credentials', runAs: 'kim' },
}

async function signedIn(user: string): Promise<Ask> {
  const { body } = await test.plain('POST', '/session/token', { user, password })
  return test.bearer(body['token'] as string)
}

const draft = (as: Ask, amount: string, version = 0) =>
  as('PUT', `/setup/v3/drafts/${a}`, { text: JSON.stringify(fee('a', amount)), version })
const submit = async (as: Ask, list: object) => (await as<ChangeRequestSummary>('POST', path, list)).body
const approve = async (as: Ask, { id, digest }: ChangeRequestSummary) => {
  const { body } = await as('POST', `${path}/${id}/approve`, { digest })
  return (body['code'] ?? body['state']) as string
}
const detail = async (id: string) =>
  (await test.studio<ChangeRequestDetailOf<object[]>>('GET', `${path}/${id}`)).body

describe('a change request of drafts', () => {
  it('records who drafted each change, and they cannot approve it', async () => {
    await draft(ines, '2')
    const request = await submit(jon, { drafts: [a] })
    const inesAlone = [{ user: 'ines', operator: null }]
    expect(request).toMatchObject({ author: 'jon', contributors: inesAlone })
    expect((await detail(request.id)).contributions).toEqual([{ id: a, writers: inesAlone }])
    expect(await approve(ines, request)).toBe('access.own_approval')
    expect(await approve(jon, request)).toBe('access.own_approval')
    expect(await approve(kim, request)).toBe('approved')
  })

  it('counts each user who saved the draft', async () => {
    await draft(ines, '2')
    await draft(jon, '3', 1)
    const request = await submit(kim, { drafts: [a] })
    expect(await approve(ines, request)).toBe('access.own_approval')
    expect(await approve(jon, request)).toBe('access.own_approval')
  })

  it('counts the author of a draft whose content was sent instead of the draft', async () => {
    await draft(ines, '2')
    const request = await submit(jon, { components: [fee('a', '2')] })
    expect(await approve(ines, request)).toBe('access.own_approval')
    // The same values under a different label are the same change.
    const relabelled = await submit(jon, { components: [{ ...fee('a', '2'), label: 'Relabelled' }] })
    expect(await approve(ines, relabelled)).toBe('access.own_approval')
    const own = await submit(jon, { components: [fee('a', '3')] })
    expect(own.contributors).toEqual([])
    expect(await approve(ines, own)).toBe('approved')
  })

  it('keeps the writers of what an edit leaves unchanged, even after the draft is deleted', async () => {
    await draft(ines, '2')
    const request = await submit(jon, { drafts: [a] })
    expect((await ines('DELETE', `/setup/v3/drafts/${a}`)).status).toBe(204)
    const edit = async (revision: number, more: object) =>
      (await jon<ChangeRequestSummary>('PUT', `${path}/${request.id}`, { revision, ...more })).body
    const again = await edit(1, { components: [fee('a', '2'), fee('b', '1')] })
    expect(again.contributors).toEqual([{ user: 'ines', operator: null }])
    expect(await approve(ines, again)).toBe('access.own_approval')
    const titled = await edit(2, {
      title: 'Fees',
      components: [{ ...fee('a', '2'), label: 'Relabelled' }, fee('b', '1')],
    })
    expect(titled.contributors).toEqual([{ user: 'ines', operator: null }])
    const replaced = await edit(3, { components: [fee('a', '5')] })
    expect(replaced.contributors).toEqual([])
  })

  it('counts a user who changed the draft between two others', async () => {
    await draft(ines, '2')
    await draft(kim, '3', 1)
    await draft(jon, '4', 2)
    const { body } = await jon<{ drafts: object[] }>('GET', '/setup/v3/drafts')
    const writers = ['ines', 'kim', 'jon'].map((user) => ({ user, operator: null }))
    expect(body.drafts).toMatchObject([{ author: 'ines', changedBy: 'jon', writers }])
    const request = await submit(jon, { drafts: [a] })
    expect(await approve(kim, request)).toBe('access.own_approval')
  })

  it('counts them after the draft was discarded, restored and renamed', async () => {
    await draft(ines, '2')
    await draft(kim, '3', 1)
    const discarded = '/setup/v3/discarded-drafts'
    const { body } = await jon('POST', discarded, { drafts: [a], others: true })
    expect((await jon('POST', `${discarded}/${body['id'] as string}/restore`)).status).toBe(200)
    const rename = { type: 'config_entry', from: 'fee.a', to: 'fee.c' }
    const renamed = await jon<{ drafts: string[] }>('POST', '/metadata/v3/rename', rename)
    const request = await submit(jon, { drafts: renamed.body.drafts })
    expect(request.contributors?.map(({ user }) => user)).toEqual(['ines', 'kim'])
    expect(await approve(kim, request)).toBe('access.own_approval')
  })

  it('has the writers of an item again if a revision changes it back', async () => {
    await draft(ines, '2')
    const request = await submit(jon, { drafts: [a] })
    await ines('DELETE', `/setup/v3/drafts/${a}`)
    const edit = async (revision: number, list: object) =>
      (await jon<ChangeRequestSummary>('PUT', `${path}/${request.id}`, { revision, ...list })).body
    expect((await edit(1, { components: [fee('a', '5')] })).contributors).toEqual([])
    const back = await edit(2, { components: [fee('a', '2')] })
    expect(back.contributors).toEqual([{ user: 'ines', operator: null }])
    expect(await approve(ines, back)).toBe('access.own_approval')
  })

  it('counts them for what was typed after the draft was applied', async () => {
    await draft(ines, '2')
    const request = await submit(jon, { drafts: [a] })
    await draft(kim, '3', 1)
    expect(await approve(kim, request)).toBe('approved')
    const applied = await jon('POST', `${path}/${request.id}/apply`, { digest: request.digest })
    expect(applied.status).toBe(200)
    const { body } = await jon<{ drafts: object[] }>('GET', '/setup/v3/drafts')
    expect(body.drafts).toMatchObject([{ writers: [{ user: 'ines' }, { user: 'kim' }] }])
  })

  it('names the operator who drafted as another user', async () => {
    await draft(test.studio, '2')
    const { body } = await test.studio<{ drafts: object[] }>('GET', '/setup/v3/drafts')
    expect(body.drafts).toMatchObject([
      { author: 'admin', operator: operatorName(), changedBy: 'admin', changedOperator: operatorName() },
    ])
    const request = await submit(jon, { drafts: [a] })
    expect(request.contributors).toEqual([{ user: 'admin', operator: operatorName() }])
    const asInes = test.beside(({ requests }) =>
      requests.approve({ actor: 'ines', correlationId: 'c', operatorName: operatorName() }, request.id, {
        digest: request.digest,
      }),
    )
    await expect(asInes).rejects.toMatchObject({ code: 'access.own_approval' })
    expect(await approve(ines, request)).toBe('approved')
  })
})

describe('a token that an operator created', () => {
  const createToken = async (): Promise<Ask> => {
    const by = { ...operator, operatorName: 'ulla' }
    return test.bearer((await test.beside(({ access }) => access.issueToken(by, 'kim_client'))).token)
  }
  const auditOf = async (kind: string) =>
    (await test.studio<{ rows: object[] }>('GET', `/metadata/v3/audit?kind=${kind}`)).body.rows

  it('names the operator in the audit, in drafts and in change requests', async () => {
    const ask = await createToken()
    expect(await auditOf('token.issued')).toMatchObject([{ actor: 'admin', operator: 'ulla' }])
    expect((await draft(ask, '2')).body).toMatchObject({ author: 'kim', operator: 'ulla' })
    const request = await submit(ask, { drafts: [a] })
    expect(request).toMatchObject({ author: 'kim', operator: 'ulla' })
    expect(await auditOf('change_request.created')).toMatchObject([{ actor: 'kim', operator: 'ulla' }])
  })

  it('does not approve what the same operator submitted as another user', async () => {
    const by = { actor: 'ines', correlationId: 'c', operatorName: 'ulla' }
    const source = { kind: 'components' as const, components: [fee('a', '7')] }
    const { request } = await test.beside(({ requests }) => requests.create(by, { source }))
    expect(await approve(await createToken(), request)).toBe('access.own_approval')
    expect(await approve(jon, request)).toBe('approved')
  })

  it('counts once together with a client secret that the same operator created', async () => {
    const by = { ...operator, operatorName: 'ulla' }
    const secret = await test.beside(({ clientSecrets }) => clientSecrets.issueSecret(by, 'kim_client'))
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: secret.clientId })
    form.set('client_secret', secret.clientSecret)
    const answer = await test.plain('POST', '/oauth2/token', form.toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    })
    const ask = test.bearer(answer.body['access_token'] as string)
    expect((await draft(ask, '2')).body).toMatchObject({ author: 'kim', operator: 'ulla' })
  })
})

it('a draft of another user that is discarded is in the audit', async () => {
  await draft(ines, '2')
  expect((await jon('DELETE', `/setup/v3/drafts/${a}`)).status).toBe(204)
  await draft(ines, '2')
  expect((await jon('PUT', '/setup/v3/drafts', { drafts: [{ id: a, version: 1, drop: true }] })).status).toBe(
    200,
  )
  await draft(ines, '2')
  expect((await ines('DELETE', `/setup/v3/drafts/${a}`)).status).toBe(204)
  const { rows } = (await test.studio<{ rows: object[] }>('GET', '/metadata/v3/audit?kind=draft.discarded'))
    .body
  expect(rows).toMatchObject([
    { actor: 'jon', component: a, before: { author: 'ines' } },
    { actor: 'jon', component: a, before: { author: 'ines' } },
  ])
})

it('a draft of another user that a save or a rename makes equal to the active text is in the audit', async () => {
  await draft(ines, '2')
  expect((await draft(jon, '1', 1)).body).toMatchObject({ unchanged: true })
  const rename = (as: Ask, from: string, to: string) =>
    as('POST', '/metadata/v3/rename', { type: 'config_entry', from, to })
  await rename(ines, 'fee.a', 'fee.c')
  expect((await rename(jon, 'fee.a', 'fee.a')).status).toBe(200)
  const { rows } = (await test.studio<{ rows: object[] }>('GET', '/metadata/v3/audit?kind=draft.discarded'))
    .body
  expect(rows).toMatchObject([
    { actor: 'jon', component: 'config_entry/fee.c', before: { author: 'ines' } },
    { actor: 'jon', component: a, before: { author: 'ines', version: 1 } },
  ])
})
