// Consents over HTTP, against a certified authorisation server (oidc-provider): given, refused, replayed, foreign, ended.
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CredentialView } from '../../server/wire/credentials.ts'
import type { ConnectedAccount, StartedConsent } from '../../server/wire/consents.ts'
import { startAuthorisationServer, type AuthorisationServer } from '../support/authorisation-server.ts'
import { apply } from '../support/billing-org.ts'
import { runningServer, type Answer, type Ask, type TestServer } from '../support/running-server.ts'

const clientSecret = 'client-secret-mark'
const password = 'a long password of a person'
const path = '/setup/v3/credentials/mail/principals/person/consent'

let test: TestServer
let provider: AuthorisationServer
let mara: Ask
let noa: Ask

const credential = (more: object = {}) => ({
  ...{ type: 'external_credential', key: 'mail', label: 'Mail' },
  body: {
    ...{ scheme: 'oauth2_authorization_code', issuer: provider.issuer },
    ...{ tokenUrl: provider.tokenUrl, authorizationUrl: provider.authorizationUrl },
    ...{ scopes: ['openid', 'offline_access'], authorizationParameters: { prompt: 'consent' } },
    principals: [{ key: 'person', mode: 'per_user', grantedTo: ['sender'] }],
    ...more,
  },
})

beforeAll(async () => {
  test = await runningServer()
  provider = await startAuthorisationServer([
    {
      ...{ client_id: 'web', client_secret: clientSecret, application_type: 'native' },
      ...{ grant_types: ['authorization_code', 'refresh_token'] },
      redirect_uris: [`${test.url}/oauth2/callback`],
    },
  ])
  await apply(test.studio, [
    { type: 'permission_set', key: 'sender', label: 'Sender', body: {} },
    credential(),
  ])
  mara = await person('mara', ['sender'])
  noa = await person('noa', [])
})
afterAll(async () => {
  await test.close()
  await provider.close()
})

/** A user with a session in a browser. */
async function person(key: string, permissionSets: string[]): Promise<Ask> {
  const by = { actor: 'admin', correlationId: 'c', isOperator: true }
  await test.beside(({ access }) => access.addUser(by, { key, name: key, password, permissionSets }))
  const signedIn = await test.plain(
    'POST',
    '/session/password',
    { user: key, password },
    { origin: test.url },
  )
  const cookie = cookiesOf(signedIn)
  return (method, at, body, headers) => test.plain(method, at, body, { cookie, origin: test.url, ...headers })
}

const cookiesOf = ({ headers }: Answer<unknown>): string =>
  headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
const accountOf = async (ask: Ask): Promise<ConnectedAccount | undefined> =>
  (await ask<{ accounts: ConnectedAccount[] }>('GET', '/setup/v3/accounts')).body.accounts[0]

interface Sent {
  started: StartedConsent
  cookie: string
}
async function start(ask = mara): Promise<Sent> {
  const answer = await ask<StartedConsent>('POST', path)
  expect([answer.status, answer.text]).toEqual([201, answer.text])
  return { started: answer.body, cookie: cookiesOf(answer) }
}
const comeBack = (back: URL, cookie: string): Promise<Answer> =>
  test.plain('GET', `${back.pathname}${back.search}`, undefined, { cookie })

describe('a consent', () => {
  it('waits for the secrets of the client', async () => {
    expect(await accountOf(mara)).toMatchObject({
      credential: 'mail',
      principal: 'person',
      state: 'not_ready',
    })
    expect((await mara('POST', path)).body).toMatchObject({ code: 'integration.secret_absent' })
    const values = { clientId: 'web', clientSecret }
    const written = await test.studio('PUT', '/setup/v3/credentials/mail/principals/person/next', { values })
    expect(written.status).toBe(204)
    expect(await accountOf(mara)).toMatchObject({
      ...{ state: 'consent_required', last: null, scopes: ['offline_access', 'openid'] },
      host: new URL(provider.issuer).host,
    })
  })

  it('connects the account of the user who was sent, and is in the audit', async () => {
    const { started, cookie } = await start()
    expect(await accountOf(mara)).toMatchObject({ last: { id: started.id, state: 'waiting' } })
    const page = new URL(started.url)
    expect(page.searchParams.get('redirect_uri')).toBe(`${test.url}/oauth2/callback`)
    expect(page.searchParams.get('code_challenge_method')).toBe('S256')
    const done = await comeBack(await provider.visit(started.url), cookie)
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('content="0; url=/accounts"')])
    expect(done.headers.getSetCookie().join()).toMatch(/almanac_consent_\S+=;.*Expires=Thu, 01 Jan 1970/)
    expect(await accountOf(mara)).toMatchObject({
      state: 'connected',
      last: { state: 'granted', reason: null },
    })
    const { body } = await test.studio<{ rows: { kind: string; actor: string }[] }>(
      'GET',
      '/metadata/v3/audit?component=credential/mail',
    )
    expect(body.rows[0]).toMatchObject({
      ...{ kind: 'credential.consent_given', actor: 'mara' },
      after: { principal: 'person', user: 'mara', scopes: ['offline_access', 'openid'] },
    })
  })

  it('is bound to its browser by a cookie that scripts cannot read', async () => {
    const answer = await mara('POST', path)
    expect(answer.headers.getSetCookie()[0]).toMatch(/; Path=\/; Expires=.*; HttpOnly; SameSite=Lax$/)
    const back = await provider.visit((answer.body as unknown as StartedConsent).url)
    const cookie = cookiesOf(answer)
    const changed = cookie.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
    for (const foreign of ['', changed, cookie.replace(/=.*/, '=x.y')]) {
      const refused = await comeBack(back, foreign)
      expect([refused.status, refused.text]).toEqual([
        400,
        expect.stringContaining('no consent that is waiting'),
      ])
    }
    // What others send has not ended it.
    expect((await comeBack(back, cookie)).status).toBe(200)
  })

  it('is valid once, with its own state', async () => {
    const { started, cookie } = await start()
    const back = await provider.visit(started.url)
    const other = new URL(back)
    other.searchParams.set('state', `${back.searchParams.get('state')!.slice(0, -1)}_`)
    expect((await comeBack(other, cookie)).status).toBe(400)
    const twice = await Promise.all([comeBack(back, cookie), comeBack(back, cookie)])
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 400])
    expect((await comeBack(back, cookie)).status).toBe(400)
    expect(await accountOf(mara)).toMatchObject({ last: { state: 'granted' } })
  })

  it('that is started again replaces the one before', async () => {
    const first = await start()
    const second = await start()
    expect((await comeBack(await provider.visit(first.started.url), first.cookie)).status).toBe(400)
    expect((await comeBack(await provider.visit(second.started.url), second.cookie)).status).toBe(200)
  })

  it('is not valid after ten minutes, and shows why', async () => {
    const { started, cookie } = await start()
    const minutes = (Date.parse(started.expiresAt) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(9.9)
    expect(minutes).toBeLessThanOrEqual(10)
    const db = new Database(join(test.dir, 'vault.sqlite'))
    const past = `UPDATE secret SET content = json_set(content, '$.until', ?) WHERE kind = 'consent'`
    db.prepare(past).run(new Date(Date.now() - 1000).toISOString())
    db.close()
    expect((await comeBack(await provider.visit(started.url), cookie)).status).toBe(400)
    expect((await accountOf(mara))!.last).toMatchObject({
      ...{ state: 'refused', reason: expect.stringContaining('not finished in time') },
    })
  })

  it('continues while the key of the vault is renewed and the credential is renamed', async () => {
    const { started, cookie } = await start()
    expect((await test.studio('POST', '/setup/v3/vault/renew')).status).toBe(204)
    await apply(test.studio, [{ ...credential(), key: 'post', renamedFrom: 'mail' }])
    expect((await comeBack(await provider.visit(started.url), cookie)).status).toBe(200)
    expect(await accountOf(mara)).toMatchObject({ credential: 'post', last: { state: 'granted' } })
    await apply(test.studio, [{ ...credential(), renamedFrom: 'post' }])
    expect(await accountOf(mara)).toMatchObject({ credential: 'mail', state: 'connected' })
  })

  it('is refused if the credential is for a different server in the meantime', async () => {
    const { started, cookie } = await start()
    const back = await provider.visit(started.url)
    await apply(test.studio, [credential({ tokenUrl: 'http://127.0.0.1:9/token' })])
    await comeBack(back, cookie)
    await apply(test.studio, [credential()])
    expect((await accountOf(mara))!.last).toMatchObject({
      ...{ state: 'refused', reason: expect.stringContaining('different client or server') },
    })
  })

  it.each<[string, (back: URL) => void, RegExp]>([
    [
      'from a different server',
      (back) => back.searchParams.set('iss', 'https://elsewhere.example'),
      /different issuer/,
    ],
    ['without its server', (back) => back.searchParams.delete('iss'), /does not name its issuer/],
    ['with a code of nobody', (back) => back.searchParams.set('code', 'guess'), /does not accept the code/],
    [
      'with an error of its own',
      (back) => back.searchParams.set('error', '<script>alert(1)</script>'),
      /reports an error/,
    ],
  ])('is refused %s, and the reason is shown', async (_name, change, reason) => {
    const { started, cookie } = await start()
    const back = await provider.visit(started.url)
    change(back)
    const done = await comeBack(back, cookie)
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('content="0; url=/accounts"')])
    const account = await accountOf(mara)
    expect(account).toMatchObject({ state: 'connected', last: { state: 'refused' } })
    expect(account!.last!.reason).toMatch(reason)
    expect(account!.last!.reason).not.toContain('script')
  })

  it('is refused by the user, and if the grant was lost in the meantime', async () => {
    const { started, cookie } = await start()
    await comeBack(await provider.visit(started.url, 'abort'), cookie)
    expect((await accountOf(mara))!.last!.reason).toMatch(/the user or the server refused/)
    const lost = await start()
    const back = await provider.visit(lost.started.url)
    await test.studio('PUT', '/setup/v3/users/mara/permission-sets', { permissionSets: [] })
    await comeBack(back, lost.cookie)
    expect(await accountOf(mara)).toBeUndefined()
    await test.studio('PUT', '/setup/v3/users/mara/permission-sets', { permissionSets: ['sender'] })
    expect((await accountOf(mara))!.last).toMatchObject({
      ...{ state: 'refused', reason: expect.stringContaining('is not granted') },
    })
  })

  it('is for users who are granted the principal, in a session of their own', async () => {
    expect(await accountOf(noa)).toBeUndefined()
    const [hidden, unknown] = [
      await noa('POST', path),
      await noa('POST', '/setup/v3/credentials/gone/principals/person/consent'),
    ]
    expect([hidden.status, unknown.status]).toEqual([403, 403])
    expect(hidden.body['detail']).toBe(String(unknown.body['detail']).replace('gone', 'mail'))
    const host = `localhost:${new URL(test.url).port}`
    const elsewhere = await mara('POST', path, undefined, { host, origin: `http://${host}` })
    expect(elsewhere.body).toMatchObject({
      code: 'request.invalid',
      detail: expect.stringContaining(test.url),
    })
  })

  it('survives a new secret of the client, and is ended by its user alone', async () => {
    const { started, cookie } = await start()
    await comeBack(await provider.visit(started.url), cookie)
    const principal = '/setup/v3/credentials/mail/principals/person'
    await test.studio('PUT', `${principal}/next`, { values: { clientId: 'web', clientSecret } })
    expect((await test.studio('POST', `${principal}/promote`)).status).toBe(204)
    expect(await accountOf(mara)).toMatchObject({ state: 'connected' })
    expect((await noa('DELETE', path)).status).toBe(403)
    expect((await noa('DELETE', `${path}?user=mara`)).status).toBe(403)
    expect((await mara('DELETE', path)).status).toBe(204)
    expect(await accountOf(mara)).toMatchObject({ state: 'consent_required' })
    expect((await mara('DELETE', path)).body).toMatchObject({ code: 'secret.absent' })
  })

  it('is listed for those who manage credentials, with a lost grant, and without a token', async () => {
    const { started, cookie } = await start()
    await comeBack(await provider.visit(started.url), cookie)
    const listed = async () =>
      (await test.studio<CredentialView>('GET', '/setup/v3/credentials/mail')).body.consents
    const connected = { principal: 'person', user: 'mara', state: 'connected', isGranted: true }
    expect(await listed()).toEqual([{ ...connected, last: expect.objectContaining({ state: 'granted' }) }])
    const [mail] = (await test.studio<{ credentials: CredentialView[] }>('GET', '/setup/v3/credentials')).body
      .credentials
    expect(mail!.consents).toEqual(await listed())
    await test.studio('PUT', '/setup/v3/users/mara/permission-sets', { permissionSets: [] })
    expect(await listed()).toMatchObject([{ user: 'mara', isGranted: false }])
    await test.studio('PUT', '/setup/v3/users/mara/permission-sets', { permissionSets: ['sender'] })
    expect((await noa('GET', '/setup/v3/credentials/mail')).status).toBe(403)
  })

  it('is ended for others by those who manage credentials', async () => {
    const { started, cookie } = await start()
    await comeBack(await provider.visit(started.url), cookie)
    expect((await test.studio('DELETE', `${path}?user=mara`)).status).toBe(204)
    expect(await accountOf(mara)).toMatchObject({ state: 'consent_required' })
  })

  it('ends with the secrets of the client, even if the same ones are written again', async () => {
    const { started, cookie } = await start()
    await comeBack(await provider.visit(started.url), cookie)
    const principal = '/setup/v3/credentials/mail/principals/person'
    expect((await test.studio('DELETE', principal)).status).toBe(204)
    expect(await accountOf(mara)).toMatchObject({ state: 'not_ready', last: null })
    await test.studio('PUT', `${principal}/next`, { values: { clientId: 'web', clientSecret } })
    expect(await accountOf(mara)).toMatchObject({ state: 'consent_required' })
  })
})

describe('a consent in the browser of the machine', () => {
  it('is opened once by its ticket, and ends on a page of its own', async () => {
    const { body, headers } = await mara<StartedConsent>('POST', path, { browser: 'system' })
    expect(headers.getSetCookie()).toEqual([])
    const ticket = new URL(body.url)
    expect([ticket.origin, ticket.pathname]).toEqual([test.url, '/oauth2/consent'])
    const at = `${ticket.pathname}${ticket.search}`
    const opened = await test.plain('GET', at)
    expect(opened.status).toBe(302)
    const back = await provider.visit(opened.headers.get('location')!)
    const done = await comeBack(back, cookiesOf(opened))
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('Close this page')])
    expect(await accountOf(mara)).toMatchObject({ state: 'connected', last: { state: 'granted' } })
    expect((await test.plain('GET', at)).text).toContain('already used')
  })

  it('ends if its ticket comes twice, because others may have read it', async () => {
    const { body } = await mara<StartedConsent>('POST', path, { browser: 'system' })
    const at = body.url.slice(test.url.length)
    const stolen = await test.plain('GET', at)
    const forged = at.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
    expect((await test.plain('GET', forged)).status).toBe(400)
    expect((await test.plain('GET', at)).status).toBe(400)
    const back = await provider.visit(stolen.headers.get('location')!)
    expect((await comeBack(back, cookiesOf(stolen))).status).toBe(400)
    expect((await accountOf(mara))!.last).toMatchObject({
      ...{ state: 'refused', reason: expect.stringContaining('opened twice') },
    })
  })

  it('does not exist behind a proxy, whose users are on other machines', async () => {
    const served = await runningServer({ behindProxy: true, publicUrl: 'https://almanac.example.com' })
    try {
      await served.beside(({ access }) =>
        access.addUser({ actor: 'admin', correlationId: 'c', isOperator: true } as never, {
          key: 'mara',
          name: 'Mara',
          password,
          permissionSets: [],
        }),
      )
      const own = { origin: 'https://almanac.example.com', host: 'almanac.example.com' }
      const signedIn = await served.plain('POST', '/session/password', { user: 'mara', password }, own)
      const cookie = cookiesOf(signedIn)
      expect(cookie).toMatch(/^__Host-/)
      const refused = await served.plain('POST', path, { browser: 'system' }, { ...own, cookie })
      expect([refused.status, refused.body['detail']]).toEqual([422, expect.stringContaining('loopback')])
    } finally {
      await served.close()
    }
  })
})
