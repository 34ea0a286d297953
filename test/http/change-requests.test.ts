// Change requests over HTTP: URLs, pages, the setting, events. Who can do what: test/spec.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ChangeRequestSummary } from '../../server/kernel/requests/index.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'
import { everything, rate } from '../support/small-org.ts'

const path = '/metadata/v3/change-requests'
const operator = { actor: 'admin', correlationId: 'test', isOperator: true }
const client = {
  type: 'integration_client',
  key: 'ben',
  label: 'Ben',
  body: { authScheme: 'oauth2_client_credentials', runAs: 'ben' },
}
const approvers = {
  type: 'permission_set',
  key: 'approvers',
  label: 'Approvers',
  body: { systemPermissions: ['deploy.approve'] },
}
const germany = (value: string) => ({ components: [rate('de_2021', 'DE', '2021-01-01', null, value)] })

let test: TestServer
let ben: Ask
beforeEach(async () => {
  test = await runningServer()
  await test.beside(({ access }) => access.addUser(operator, { key: 'ben', name: 'Ben' }))
  await test.studio('POST', '/metadata/v3/apply', { components: [...everything, approvers, client] })
  ben = await test.beside(async ({ access }) => {
    await access.changeUser(operator, 'ben', { permissionSets: ['approvers'] })
    return test.bearer((await access.issueToken(operator, 'ben')).token)
  })
})
afterEach(() => test.close())

async function createRequest(value: string): Promise<ChangeRequestSummary> {
  const { status, body } = await test.studio<ChangeRequestSummary>('POST', path, {
    ...germany(value),
    rationale: `to ${value}`,
  })
  expect(status).toBe(201)
  return body
}

describe('change requests', () => {
  it('are submitted like an apply, and returned with their URL', async () => {
    const { status, headers, body } = await test.studio('POST', path, {
      ...germany('0.2'),
      base: 2,
      rationale: 'Up\nbecause',
      title: '',
    })
    expect([status, headers.get('location')]).toEqual([201, `${path}/${String(body['id'])}`])
    expect(body).toMatchObject({
      ...{ state: 'approved', revision: 1, title: 'Up', author: 'admin', base: 2, applyOn: null },
      ...{ requiredApprovals: 0, approvals: [], findings: [], findingsTotal: 0, generation: null },
      counts: { added: 0, changed: 1, renamed: 0, removed: 0 },
    })
    expect(body['digest']).toMatch(/^jcs1:sha256:[0-9a-f]{64}$/)
    const { body: planned } = await test.studio<{ plan: { changeDigest: string } }>(
      'POST',
      '/metadata/v3/plan',
      germany('0.2'),
    )
    expect(planned.plan.changeDigest).toBe(body['changeDigest'])
    expect(body['digest']).not.toBe(body['changeDigest'])
    expect((await test.studio('POST', path, { rationale: 'nothing' })).body['code']).toBe('request.malformed')
    const both = { ...germany('0.2'), generation: 1 }
    expect((await test.studio('POST', path, both)).body['code']).toBe('request.malformed')
  })

  it('describe in words what they change and what happened to them', async () => {
    const { id, digest } = await createRequest('0.2')
    await ben('POST', `${path}/${id}/comments`, { text: ' Why now? ' })
    await ben('POST', `${path}/${id}/approve`, { digest, comment: 'Fine' })
    const { body } = await test.studio('GET', `${path}/${id}`)
    expect(body).toMatchObject({
      standing: { generation: 2, stale: null, conflicts: [] },
      changes: [
        {
          kind: 'changed',
          id: 'config_entry/vat_rate.de_2021',
          words: { title: 'VAT rate, DE, org', before: '0.1900', after: '0.2000' },
          requires: 'config.author, edit:vat_rate',
          lacks: null,
        },
      ],
      ...{ total: 1, hidden: 0, findings: [], findingsTotal: 0 },
      comments: [{ actor: 'ben', text: 'Why now?' }],
      history: [{ kind: 'created' }, { kind: 'commented' }, { kind: 'approved', text: 'Fine' }],
    })
    const applied = await ben('POST', `${path}/${id}/apply`, { digest })
    expect(applied.body).toMatchObject({
      generation: 3,
      // Ben can approve but not read.
      changes: [],
      request: { state: 'applied', generation: 3 },
    })
    const { body: done } = await test.studio('GET', `${path}/${id}`)
    expect(done).toMatchObject({ standing: null, changes: [{ words: { after: '0.2000' } }], total: 1 })
    const { body: generation } = await test.studio('GET', '/metadata/v3/generations/3')
    const request = { id, author: 'admin', approvers: ['ben'], appliedBy: 'ben' }
    expect(generation).toMatchObject({ generation: { actor: 'admin', rationale: 'to 0.2', request } })
    const { body: audit } = await test.studio('GET', '/metadata/v3/audit?generation=3')
    expect(audit).toMatchObject({ rows: [{ component: 'config_entry/vat_rate.de_2021', request }] })
  })

  it('are paged, and filtered by state and author', async () => {
    const ids: string[] = []
    for (const value of ['0.2', '0.21', '0.22']) ids.unshift((await createRequest(value)).id)
    await test.studio('POST', `${path}/${ids[0]}/withdraw`, {})
    interface Page {
      requests: ChangeRequestSummary[]
      nextCursor: string | null
    }
    const one = await test.studio<Page>('GET', `${path}?limit=2`)
    expect(one.body.requests.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    const two = await test.studio<Page>('GET', `${path}?limit=2&cursor=${one.body.nextCursor}`)
    expect([two.body.requests.map(({ id }) => id), two.body.nextCursor]).toEqual([ids.slice(2), null])
    const waiting = await test.studio<Page>('GET', `${path}?state=open,approved&author=admin`)
    expect(waiting.body.requests.map(({ id }) => id)).toEqual(ids.slice(1))
    const foreign = await test.studio('GET', `${path}?state=open&cursor=${one.body.nextCursor}`)
    expect(foreign.body['code']).toBe('request.malformed')
    expect((await test.studio('GET', `${path}?state=opened`)).body['code']).toBe('request.malformed')
    expect((await test.studio<Page>('GET', `${path}?author=ben`)).body.requests).toEqual([])
    expect((await test.studio('GET', `${path}/none`)).body['code']).toBe('change_request.not_found')
  })

  it('are edited with the revision that was read', async () => {
    const { id } = await createRequest('0.2')
    expect((await test.studio('PUT', `${path}/${id}`, { title: 'x' })).status).toBe(400)
    const edited = await test.studio('PUT', `${path}/${id}`, {
      revision: 1,
      ...germany('0.25'),
      title: 'Higher',
    })
    expect(edited.body).toMatchObject({ revision: 2, title: 'Higher', rationale: 'to 0.2' })
    const twice = { revision: 2, ...germany('0.3'), without: ['config_entry/vat_rate.de_2021'] }
    expect((await test.studio('PUT', `${path}/${id}`, twice)).body['code']).toBe('request.malformed')
    const emptied = { revision: 2, without: ['config_entry/vat_rate.de_2021'] }
    expect((await test.studio('PUT', `${path}/${id}`, emptied)).body['code']).toBe('request.invalid')
  })

  it('require a user who can author, and no `view as`', async () => {
    expect((await ben('POST', path, germany('0.2'))).body['code']).toBe('access.denied')
    const through = await test.studio('POST', path, germany('0.2'), { 'X-View-As': 'ben' })
    expect(through.body['code']).toBe('access.denied')
  })
})

describe('a change request whose author cannot apply it', () => {
  it('waits, and names what the author lacks to every user who can see it', async () => {
    const authors = { type: 'permission_set', key: 'authors', label: 'Authors' }
    const tess = { ...client, key: 'tess', label: 'Tess', body: { ...client.body, runAs: 'tess' } }
    const types = { type: 'value_set', key: 'kinds', label: 'Kinds', body: { values: [] } }
    await test.beside(({ access }) => access.addUser(operator, { key: 'tess', name: 'Tess' }))
    await test.studio('POST', '/metadata/v3/apply', {
      components: [{ ...authors, body: { systemPermissions: ['config.author'] } }, tess],
    })
    const ask = await test.beside(async ({ access }) => {
      await access.changeUser(operator, 'tess', { permissionSets: ['authors'] })
      return test.bearer((await access.issueToken(operator, 'tess')).token)
    })
    const { status, body } = await ask<ChangeRequestSummary>('POST', path, { components: [types] })
    expect(status).toBe(201)
    for (const reader of [ask, ben, test.studio])
      expect((await reader('GET', `${path}/${body.id}`)).body).toMatchObject({ lacks: ['metadata.author'] })
    expect((await test.studio('GET', `${path}/${(await createRequest('0.2')).id}`)).body['lacks']).toEqual([])
  })
})

describe('the number of required approvals', () => {
  it('can be changed by a request that is never stale, because it changes no component', async () => {
    await test.studio('PUT', '/setup/v3/approvals', { required: 1 })
    await test.studio('PUT', '/setup/v3/approvals', { required: 0 })
    const { requests } = (await test.studio<{ requests: ChangeRequestSummary[] }>('GET', path)).body
    const { body } = await ben('GET', `${path}/${requests[0]!.id}`)
    expect(body).toMatchObject({
      ...{ proposedApprovals: 0, requiredApprovals: 1 },
      standing: { stale: null, message: '' },
      ...{ changes: [], total: 0, findings: [], lacks: [] },
    })
  })

  it('is set by a user who manages access, and audited', async () => {
    expect((await test.studio('GET', '/setup/v3/approvals')).body).toEqual({ required: 0 })
    expect((await ben('PUT', '/setup/v3/approvals', { required: 1 })).body['code']).toBe('access.denied')
    expect((await test.studio('PUT', '/setup/v3/approvals', { required: 99 })).status).toBe(422)
    expect((await test.studio('PUT', '/setup/v3/approvals', { required: 2 })).body).toEqual({ required: 2 })
    expect((await ben('GET', '/setup/v3/approvals')).body).toEqual({ required: 2 })
    expect((await test.studio('GET', '/setup/v3/org')).body['requiredApprovals']).toBe(2)
    const { body } = await test.studio('GET', '/metadata/v3/audit?kind=setting.changed')
    expect(body['rows']).toMatchObject([
      { component: 'setting/approvals', actor: 'admin', before: { required: 0 }, after: { required: 2 } },
    ])
  })

  it('also prevents applying drafts, and the error names the fix', async () => {
    await test.studio('PUT', '/setup/v3/approvals', { required: 1 })
    const [text] = germany('0.2').components.map((each) => JSON.stringify(each))
    await test.studio('PUT', '/setup/v3/drafts/config_entry/vat_rate.de_2021', { text, version: 0 })
    const { status, body } = await test.studio('POST', '/metadata/v3/apply', { drafts: true })
    expect([status, body['code']]).toEqual([409, 'deploy.approval_required'])
    expect(body['detail']).toContain('/metadata/v3/change-requests')
    const { body: waiting } = await test.studio<ChangeRequestSummary>('POST', path, { drafts: true })
    const drafts = async (): Promise<unknown> => (await test.studio('GET', '/setup/v3/drafts')).body['drafts']
    expect(await drafts()).toHaveLength(1)
    await ben('POST', `${path}/${waiting.id}/approve`, { digest: waiting.digest })
    expect((await test.studio('POST', `${path}/${waiting.id}/apply`, {})).status).toBe(200)
    expect(await drafts()).toEqual([])
  })
})

describe('events of change requests', () => {
  it('reach the users who can see them, including events from another process', async () => {
    const stream = await fetch(`${test.url}/setup/v3/events`, { headers: { cookie: test.cookie } })
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const seen = async (event: string): Promise<void> => {
      while (!text.includes(event)) text += (await reader.read()).value ?? ''
    }
    await seen('retry')
    const { id, digest } = await createRequest('0.2')
    await seen(
      `event: change-request\ndata: ${JSON.stringify({ id, state: 'approved', digest, actor: 'admin' })}\n`,
    )
    await test.beside(({ requests }) => requests.reject(operator, id, 'No'))
    await seen('"state":"rejected"')
    await reader.cancel()
  })
})
