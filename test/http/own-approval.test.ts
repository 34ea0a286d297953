// Users cannot approve their own change request under any name, and requiring fewer approvals needs the approvals in
// force.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ChangeRequestSummary } from '#kernel/requests/index.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'
import { operatorName } from '../../server/system/index.ts'
import { fee, feeSet } from '../support/fees.ts'

const operator = { actor: 'admin', correlationId: 'c', isOperator: true }
const path = '/metadata/v3/change-requests'
const setting = '/setup/v3/approvals'
const client = {
  type: 'integration_client',
  key: 'ines',
  label: 'Ines',
  body: { authScheme: 'oauth2_client_credentials', runAs: 'ines' },
}

let test: TestServer
/** Signed in as herself. */
let ines: Ask
beforeEach(async () => {
  test = await runningServer()
  for (const key of ['ines', 'jon'])
    await test.beside(({ access }) =>
      access.addUser(operator, { key, name: key, permissionSets: ['administrator'] }),
    )
  await test.studio('POST', '/metadata/v3/apply', { components: [feeSet(), fee('a', '1'), client] })
  ines = test.bearer((await test.beside(({ access }) => access.issueToken(operator, 'ines'))).token)
})
afterEach(() => test.close())

const createRequest = async (amount: string): Promise<ChangeRequestSummary> =>
  (await test.studio<ChangeRequestSummary>('POST', path, { components: [fee('a', amount)] })).body

/** Like "almanac approve --as <user>" by an operator. */
const approveAs = (user: string, { id, digest }: ChangeRequestSummary, name = operatorName()) =>
  test
    .beside(({ requests }) =>
      requests.approve({ actor: user, correlationId: 'c', operatorName: name }, id, { digest }),
    )
    .then(
      ({ state }) => state as string,
      (error: { code: string }) => error.code,
    )

describe('an operator', () => {
  it('cannot approve their own request under a different name', async () => {
    await test.studio('PUT', setting, { required: 1 })
    const request = await createRequest('2')
    expect(request).toMatchObject({ author: 'admin', operator: operatorName() })
    expect(await approveAs('admin', request)).toBe('access.own_approval')
    expect(await approveAs('ines', request)).toBe('access.own_approval')
    expect(
      (await ines('POST', `${path}/${request.id}/approve`, { digest: request.digest })).body,
    ).toMatchObject({ state: 'approved' })
  })

  it('counts once under all names', async () => {
    await test.studio('PUT', setting, { required: 2 })
    const request = await createRequest('2')
    expect(await approveAs('ines', request, 'ulla')).toBe('open')
    expect(await approveAs('jon', request, 'ulla')).toBe('access.own_approval')
    expect(await approveAs('jon', request, 'vera')).toBe('approved')
  })

  it('is named in the audit and in the history of the request', async () => {
    await test.studio('PUT', setting, { required: 1 })
    const request = await createRequest('2')
    await approveAs('ines', request, 'ulla')
    const { body } = await test.studio<{ rows: object[] }>(
      'GET',
      '/metadata/v3/audit?kind=change_request.approved',
    )
    expect(body.rows).toMatchObject([{ actor: 'ines', operator: 'ulla' }])
    const shown = await test.studio<{ history: object[]; approvals: object[] }>(
      'GET',
      `${path}/${request.id}`,
    )
    expect(shown.body.history).toContainEqual(expect.objectContaining({ actor: 'ines', operator: 'ulla' }))
    expect(shown.body.approvals).toMatchObject([{ approver: 'ines', operator: 'ulla' }])
  })
})

describe('fewer required approvals', () => {
  it('take effect with the last of the approvals in force, and not before', async () => {
    await test.studio('PUT', setting, { required: 1 })
    const lowered = await test.studio<{ required: number; request: ChangeRequestSummary }>('PUT', setting, {
      required: 0,
    })
    expect(lowered.body).toMatchObject({
      required: 1,
      request: { state: 'open', proposedApprovals: 0, title: 'Require 0 approvals instead of 1 approval' },
    })
    const { request } = lowered.body
    // Requested twice, it waits once.
    const again = await test.studio<{ request: object }>('PUT', setting, { required: 0 })
    expect(again.body.request).toMatchObject({ id: request.id })
    expect((await test.studio('GET', `${path}/${request.id}`)).body).toMatchObject({ total: 0 })
    for (const [verb, body] of [
      ['schedule', { applyOn: '2099-01-01' }],
      ['apply', {}],
    ] as const)
      expect((await test.studio('POST', `${path}/${request.id}/${verb}`, body)).body['code']).toBe(
        'conflict.request_state',
      )
    expect(await approveAs('ines', request)).toBe('access.own_approval')
    expect((await test.studio('GET', setting)).body).toEqual({ required: 1 })
    const approved = await ines('POST', `${path}/${request.id}/approve`, { digest: request.digest })
    expect(approved.body).toMatchObject({ state: 'applied' })
    expect((await test.studio('GET', setting)).body).toEqual({ required: 0 })
  })

  it('need no approval if none are in force, and more approvals take effect immediately', async () => {
    expect((await test.studio('PUT', setting, { required: 1 })).body).toEqual({ required: 1 })
    expect((await test.studio('PUT', setting, { required: 2 })).body).toEqual({ required: 2 })
  })
})
