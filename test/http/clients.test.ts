// Clients and what they can see: tokens, OAuth's own errors, sets that are invisible until granted
// (docs/reference/access.md).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runningServer, type Answer, type Ask, type TestServer } from '../support/running-server.ts'
import { everything, readerClient, vatRate } from '../support/small-org.ts'

let test: TestServer
let reader: Ask
let secret: string
const operator = { actor: 'admin', correlationId: 'test', isOperator: true }

beforeAll(async () => {
  test = await runningServer()
  expect((await test.studio('POST', '/metadata/v3/apply', { components: everything })).status).toBe(200)
  await test.beside(({ access }) =>
    access.addUser(operator, { key: 'rea', name: 'Rea', permissionSets: ['readers'] }),
  )
  expect((await test.studio('POST', '/metadata/v3/apply', { components: [readerClient] })).status).toBe(200)
  const { token } = await test.beside(({ access }) => access.issueToken(operator, 'reader'))
  reader = test.bearer(token)
  const made = await test.studio<{ clientSecret: string }>('POST', '/setup/v3/clients/reader/secrets')
  expect(made.status).toBe(201)
  secret = made.body.clientSecret
})
afterAll(() => test.close())

async function token(form: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
  return test.plain('POST', '/oauth2/token', new URLSearchParams(form).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
    ...headers,
  })
}

const grant = { grant_type: 'client_credentials' }

describe('a set that is not granted', () => {
  const hidden = () => reader('GET', '/metadata/v3/components/config_set/sealed')

  it('gets exactly the same response as a set that does not exist', async () => {
    const [one, other] = [await hidden(), await reader('GET', '/metadata/v3/components/config_set/neverxx')]
    const comparable = ({ status, body }: Answer) => [
      status,
      String(body['detail']).replace(/"\w+"/, ''),
      body['code'],
    ]
    expect(comparable(one)).toEqual(comparable(other))
    expect(one.status).toBe(404)
  })

  it('is in no list, text, search, past change or where-used', async () => {
    for (const path of [
      '/metadata/v3/components?limit=2000',
      '/metadata/v3/components?type=config_entry',
      '/metadata/v3/components?q=hush',
      '/metadata/v3/components?set=sealed',
      '/metadata/v3/components?ids=config_set/sealed,config_entry/sealed.all',
      '/metadata/v3/retrieve',
      '/metadata/v3/types',
      '/metadata/v3/generations/2',
      '/setup/v3/problems',
      '/setup/v3/access/me',
    ]) {
      const { status, text } = await reader('GET', path)
      expect(status, path).toBe(200)
      expect(text, path).not.toMatch(/sealed|hush/)
    }
    const { text } = await reader('POST', '/metadata/v3/diff', { from: 1, to: 2 })
    expect(text).not.toMatch(/sealed|hush/)
    expect((await reader('GET', '/metadata/v3/components/config_entry/sealed.all/history')).status).toBe(404)
    expect((await reader('GET', '/setup/v3/access/explain?component=config_set/sealed')).status).toBe(404)
  })

  it('cannot be evaluated, and completes no expression', async () => {
    const resolved = await reader('POST', '/setup/v3/resolve', { set: 'sealed' })
    expect([resolved.status, resolved.body['code']]).toEqual([404, 'config.unknown_set'])
    expect(
      (await reader('POST', '/setup/v3/evaluate', { expression: 'config.sealed.words' })).body['code'],
    ).toBe('expression.invalid')
    const { text } = await reader('POST', '/setup/v3/evaluate/complete', { expression: 'config.', offset: 7 })
    expect(text).not.toContain('sealed')
  })

  it('shows no old value to a user who plans a change to it', async () => {
    const mine = {
      type: 'config_entry',
      key: 'sealed.all',
      label: 'Mine',
      body: { set: 'sealed', scope: { kind: 'org' }, values: { words: 'guess' } },
    }
    const { status, text, body } = await reader('POST', '/metadata/v3/plan', { components: [mine] })
    expect(status).toBe(200)
    expect(text).not.toContain('hush')
    expect(body['changes']).toMatchObject([{ before: null, lacks: 'config.author, edit:sealed' }])
  })

  it('exists from the generation that grants it', async () => {
    expect(
      (await reader('POST', '/setup/v3/resolve', { set: 'vat_rate', key: 'DE', asOf: '2021-01-01' })).status,
    ).toBe(404)
    const granted = {
      ...vatRate,
      body: { ...vatRate.body, read: { administrator: 'read', readers: 'read' } },
    }
    expect((await test.studio('POST', '/metadata/v3/apply', { components: [granted] })).status).toBe(200)
    const { status, body } = await reader('POST', '/setup/v3/resolve', {
      set: 'vat_rate',
      key: 'DE',
      asOf: '2021-01-01',
    })
    expect([status, body['values']]).toEqual([200, { rate: '0.1900' }])
  })
})

describe('a client', () => {
  it('has the permissions of the user that it runs as', async () => {
    const { body } = await reader('GET', '/setup/v3/org')
    expect(body['me']).toEqual({ key: 'rea', name: 'Rea', permissions: [] })
  })

  it('cannot change what its user cannot, and each error names the missing permission', async () => {
    const components = [
      { type: 'app', key: 'desk', label: 'Desk', body: { objects: [], pages: [], flows: [] } },
      {
        type: 'permission_set',
        key: 'readers',
        label: 'Readers',
        body: { systemPermissions: ['platform.root'] },
      },
    ]
    const { status, body } = await reader('POST', '/metadata/v3/apply', { components })
    expect([status, body['code']]).toEqual([403, 'access.denied'])
    expect(body['details']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 'app/desk', permission: 'metadata.author' }),
        expect.objectContaining({ id: 'permission_set/readers', permission: 'access.manage' }),
      ]),
    )
    expect((await reader('PUT', '/setup/v3/drafts/app/desk', { text: '{}', version: 0 })).status).toBe(403)
    expect((await reader('GET', '/metadata/v3/audit')).status).toBe(403)
    expect((await reader('POST', '/setup/v3/clients/reader/secrets')).status).toBe(403)
  })

  it('cannot view as another user', async () => {
    expect((await reader('GET', '/setup/v3/org', undefined, { 'x-view-as': 'admin' })).body['code']).toBe(
      'access.denied',
    )
  })

  it('is refused with the same sentence for every invalid token', async () => {
    const bad = ['nothing', 'almanac_' + 'A'.repeat(43)]
    const answers = await Promise.all(bad.map((each) => test.bearer(each)('GET', '/setup/v3/org')))
    expect(new Set(answers.map(({ body }) => String(body['detail']))).size).toBe(1)
    for (const { status } of answers) expect(status).toBe(401)
    expect(
      (await test.plain('GET', '/setup/v3/org', undefined, { authorization: 'Basic YTpi' })).status,
    ).toBe(401)
  })

  it('is the viewer if the studio views as it', async () => {
    const asRea = await test.studio('GET', '/metadata/v3/components/config_set/sealed', undefined, {
      'x-view-as': 'rea',
    })
    expect(asRea.status).toBe(404)
  })
})

describe('the token endpoint', () => {
  it('returns a bearer token for one hour, by form or by header', async () => {
    for (const answer of [
      await token({ ...grant, client_id: 'reader', client_secret: secret }),
      await token(grant, { authorization: `Basic ${Buffer.from(`reader:${secret}`).toString('base64')}` }),
    ]) {
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject({ token_type: 'Bearer', expires_in: 3600 })
      expect(answer.headers.get('cache-control')).toBe('no-store')
      const me = await test.bearer(String(answer.body['access_token']))('GET', '/setup/v3/org')
      expect(me.body['me']).toMatchObject({ key: 'rea' })
    }
  })

  it('keeps the previous secret, and lets older ones expire', async () => {
    const second = (await test.studio<{ clientSecret: string }>('POST', '/setup/v3/clients/reader/secrets'))
      .body.clientSecret
    const works = async (each: string) =>
      (await token({ ...grant, client_id: 'reader', client_secret: each })).status === 200
    expect([await works(secret), await works(second)]).toEqual([true, true])
    const third = (await test.studio<{ clientSecret: string }>('POST', '/setup/v3/clients/reader/secrets'))
      .body.clientSecret
    expect([await works(secret), await works(second), await works(third)]).toEqual([false, true, true])
    secret = third
  })

  it('stores no secret in plain text, and audits only the event', async () => {
    const { text } = await test.studio('GET', '/metadata/v3/audit?kind=client.secret_made')
    expect(text).toContain('client/reader')
    expect(text).not.toContain(secret)
  })

  it('creates a secret for the user that the client runs as, or a user who manages access: a secret carries those permissions', async () => {
    const keeper = {
      type: 'permission_set',
      key: 'key_keepers',
      label: 'Key keepers',
      body: { systemPermissions: ['integration.manage_credentials'] },
    }
    expect((await test.studio('POST', '/metadata/v3/apply', { components: [keeper] })).status).toBe(200)
    await test.beside(({ access }) =>
      access.addUser(operator, { key: 'bo', name: 'Bo', permissionSets: ['key_keepers'] }),
    )
    const own = { ...readerClient, key: 'own', label: 'Own', body: { ...readerClient.body, runAs: 'bo' } }
    expect((await test.studio('POST', '/metadata/v3/apply', { components: [own] })).status).toBe(200)
    const asBo = test.bearer((await test.beside(({ access }) => access.issueToken(operator, 'own'))).token)
    expect((await asBo('POST', '/setup/v3/clients/own/secrets')).status).toBe(201)
    const denied = await asBo('POST', '/setup/v3/clients/reader/secrets')
    expect([denied.status, denied.body['code']]).toEqual([403, 'access.denied'])
    expect(denied.text).toContain('access.manage')
    expect(denied.text).toContain('runs as rea')
  })

  it('makes secrets only for registered clients', async () => {
    expect((await test.studio('POST', '/setup/v3/clients/nobody/secrets')).body['code']).toBe(
      'component.not_found',
    )
  })

  it.each([
    [{ grant_type: 'password' }, 400, 'unsupported_grant_type'],
    [{}, 400, 'invalid_request'],
    [grant, 401, 'invalid_client'],
    [{ ...grant, client_id: 'reader', client_secret: 'wrong' }, 401, 'invalid_client'],
    [{ ...grant, client_id: 'nobody', client_secret: 'wrong' }, 401, 'invalid_client'],
  ])('responds to %j with OAuth’s own body', async (form, status, error) => {
    const answer = await token(form as Record<string, string>)
    expect([answer.status, answer.body['error']]).toEqual([status, error])
    expect(Object.keys(answer.body).sort()).toEqual(['error', 'error_description'])
    expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Basic realm="almanac"' : null)
  })

  it('refuses a secret in both header and form', async () => {
    const basic = { authorization: `Basic ${Buffer.from(`reader:${secret}`).toString('base64')}` }
    const answer = await token({ ...grant, client_id: 'reader', client_secret: secret }, basic)
    expect(answer.body['error']).toBe('invalid_request')
  })

  it('is throttled after failures', async () => {
    const fresh = await runningServer()
    try {
      const attempt = () =>
        fresh.plain(
          'POST',
          '/oauth2/token',
          'grant_type=client_credentials&client_id=local&client_secret=x',
          {
            'content-type': 'application/x-www-form-urlencoded',
          },
        )
      const statuses = []
      for (let index = 0; index < 11; index += 1) statuses.push((await attempt()).status)
      expect(statuses).toEqual([...Array<number>(10).fill(401), 429])
    } finally {
      await fresh.close()
    }
  })
})
