// Clients that prove who they are with an API key or with a signed assertion, whose rules are in test/spec/assertions.
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runningServer, type Answer, type TestServer } from '../support/running-server.ts'
import { everything, readerClient } from '../support/small-org.ts'

const operator = { actor: 'admin', correlationId: 'test', isOperator: true }
const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

let test: TestServer
const keys = {
  one: await generateKeyPair('ES256'),
  two: await generateKeyPair('RS256'),
  other: await generateKeyPair('ES256'),
}
const client = (key: string, body: object): object => ({
  ...readerClient,
  ...{ key, label: key, body: { ...readerClient.body, ...body } },
})

beforeAll(async () => {
  test = await runningServer({ limitsClients: true })
  expect((await test.studio('POST', '/metadata/v3/apply', { components: everything })).status).toBe(200)
  await test.beside(({ access }) =>
    access.addUser(operator, { key: 'rea', name: 'Rea', permissionSets: ['readers'] }),
  )
  const jwks = { keys: [await exportJWK(keys.one.publicKey), await exportJWK(keys.two.publicKey)] }
  const other = { keys: [await exportJWK(keys.other.publicKey)] }
  const components = [
    client('keyed', { authScheme: 'api_key' }),
    client('signed', { authScheme: 'oauth2_jwt_bearer', jwks }),
    client('stranger', { authScheme: 'oauth2_jwt_bearer', jwks: other }),
    readerClient,
  ]
  expect((await test.studio('POST', '/metadata/v3/apply', { components })).status).toBe(200)
})
afterAll(() => test.close())

describe('an API key', () => {
  const newKey = async (): Promise<string> =>
    (await test.studio<{ clientSecret: string }>('POST', '/setup/v3/clients/keyed/secrets')).body.clientSecret
  const me = (headers: Record<string, string>): Promise<Answer> =>
    test.plain('GET', '/setup/v3/org', undefined, headers)

  it('identifies its client, with the limits of the client, until two newer ones are made', async () => {
    const key = await newKey()
    expect(key).toMatch(/^almanac_key_[\w-]{43}$/)
    const first = await me({ 'x-api-key': key })
    const document = await test.plain('GET', '/openapi.json', undefined, { 'x-api-key': key })
    expect(document.headers.get('ratelimit')).toMatch(/^"client"/)
    const unknown = { 'x-api-key': `${key}x` }
    expect((await test.plain('GET', '/openapi.json', undefined, unknown)).status).toBe(401)
    expect([first.status, (first.body['me'] as { key: string }).key]).toEqual([200, 'rea'])
    expect(first.headers.get('ratelimit')).toContain('r=')
    const second = await newKey()
    expect([(await me({ 'x-api-key': key })).status, (await me({ 'x-api-key': second })).status]).toEqual([
      200, 200,
    ])
    await newKey()
    expect([(await me({ 'x-api-key': key })).status, (await me({ 'x-api-key': second })).status]).toEqual([
      401, 200,
    ])
  })

  it('follows the rename of its client, and ends with a different scheme', async () => {
    const key = await newKey()
    const renamed = { ...client('shop', { authScheme: 'api_key' }), renamedFrom: 'keyed' }
    expect((await test.studio('POST', '/metadata/v3/apply', { components: [renamed] })).status).toBe(200)
    expect((await me({ 'x-api-key': key })).status).toBe(200)
    const components = [client('shop', { authScheme: 'oauth2_client_credentials' })]
    expect((await test.studio('POST', '/metadata/v3/apply', { components })).status).toBe(200)
    expect((await me({ 'x-api-key': key })).status).toBe(401)
    const back = { ...client('keyed', { authScheme: 'api_key' }), renamedFrom: 'shop' }
    expect((await test.studio('POST', '/metadata/v3/apply', { components: [back] })).status).toBe(200)
  })

  it('is refused beside a bearer token, as a bearer token, and if it is unknown', async () => {
    const key = await newKey()
    const both = await me({ 'x-api-key': key, authorization: `Bearer ${key}` })
    expect([both.status, both.body['detail']]).toEqual([
      401,
      'Send the header Authorization or X-API-Key, not both.',
    ])
    const unknown = ['', 'x', `${key}x`, `almanac_key_${'A'.repeat(43)}`]
    const answers = await Promise.all(unknown.map((each) => me({ 'x-api-key': each })))
    for (const { status, body } of answers) expect([status, body['code']]).toEqual([401, 'auth.invalid'])
    expect(new Set(answers.map(({ body }) => body['detail'])).size).toBe(1)
    expect((await me({ authorization: `Bearer ${key}` })).status).toBe(401)
    const secret = { grant_type: 'client_credentials', client_id: 'keyed', client_secret: key }
    expect((await token(secret)).body['error']).toBe('invalid_client')
  })

  it('is revoked with the tokens of its client, by its id, and listed without its secret', async () => {
    const [first, second] = [await newKey(), await newKey()]
    const bearer = test.bearer(
      (await test.beside(({ access }) => access.issueToken(operator, 'keyed'))).token,
    )
    expect((await bearer('GET', '/setup/v3/org')).status).toBe(200)
    const secrets = '/setup/v3/clients/keyed/secrets'
    const listed = await test.studio<{ secrets: { id: string }[] }>('GET', secrets)
    expect(listed.body.secrets).toMatchObject([
      { createdBy: 'admin', expiresAt: null },
      { createdBy: 'admin', expiresAt: null },
    ])
    expect(listed.text).not.toContain(first)
    const [newest] = listed.body.secrets
    expect((await test.studio('DELETE', `${secrets}/${newest!.id}`)).status).toBe(204)
    const statuses = [first, second].map(async (key) => (await me({ 'x-api-key': key })).status)
    expect(await Promise.all(statuses)).toEqual([200, 401])
    expect((await bearer('GET', '/setup/v3/org')).status).toBe(401)
    const again = await test.studio('DELETE', `${secrets}/${newest!.id}`)
    expect([again.status, again.body['code']]).toEqual([404, 'secret.not_found'])
    expect((await test.studio('GET', '/setup/v3/clients/nobody/secrets')).body['code']).toBe(
      'component.not_found',
    )
    for (const [method, path] of [
      ['GET', secrets],
      ['DELETE', `${secrets}/${newest!.id}`],
    ] as const)
      expect((await test.plain(method, path, undefined, { 'x-api-key': first })).status).toBe(403)
    const { text } = await test.studio('GET', '/metadata/v3/audit?kind=client.secret_revoked')
    expect(text).toContain(newest!.id)
  })

  it('is refused after ten unknown keys from an address, unless it was valid before', async () => {
    const [before, fresh] = [await newKey(), await newKey()]
    expect((await me({ 'x-api-key': before })).status).toBe(200)
    const guesses = []
    for (let at = 0; at < 12; at += 1)
      guesses.push(await me({ 'x-api-key': `almanac_key_${String(at).padStart(43, 'A')}` }))
    const last = guesses.at(-1)!
    expect([last.status, last.body['code']]).toEqual([429, 'auth.throttled'])
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
    // The caller is looked up again after a write.
    await test.studio('POST', '/setup/v3/users', { key: 'late', name: 'Late' })
    expect((await me({ 'x-api-key': before })).status).toBe(200)
    expect((await me({ 'x-api-key': fresh })).status).toBe(429)
  })

  it('is not stored in plain text', async () => {
    const key = await newKey()
    const { text } = await test.studio('GET', '/metadata/v3/audit?kind=client.secret_made')
    expect(text).not.toContain(key)
  })
})

async function token(form: Record<string, string>): Promise<Answer> {
  return test.plain('POST', '/oauth2/token', new URLSearchParams(form).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  })
}

let ids = 0
interface Terms {
  claims?: JWTPayload
  signer?: keyof typeof keys
}

async function assertion({ claims = {}, signer = 'one' }: Terms = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const payload: JWTPayload = {
    ...{ iss: 'signed', sub: 'signed', aud: `${test.url}/oauth2/token`, jti: `id-${(ids += 1)}` },
    ...{ iat: now, exp: now + 60, ...claims },
  }
  return new SignJWT(payload)
    .setProtectedHeader({ alg: signer === 'two' ? 'RS256' : 'ES256' })
    .sign(keys[signer].privateKey)
}
const granted = async (text: string): Promise<Answer> => token({ grant_type: jwtBearer, assertion: text })

describe('a signed assertion', () => {
  // Ten failures in a minute would be throttled; a success ends their count.
  beforeEach(async () => {
    expect((await granted(await assertion())).status).toBe(200)
  })

  it('gets a bearer token, as a grant and as the proof of a client, with any of its keys', async () => {
    for (const answer of [
      await granted(await assertion()),
      await granted(await assertion({ signer: 'two', claims: { aud: test.url } })),
      await token({
        ...{ grant_type: 'client_credentials', client_assertion_type: assertionType },
        client_assertion: await assertion(),
      }),
    ]) {
      expect(answer.status).toBe(200)
      const me = await test.bearer(String(answer.body['access_token']))('GET', '/setup/v3/org')
      expect(me.body['me']).toMatchObject({ key: 'rea' })
    }
  })

  it('gets a token that ends when its key is removed from the client, and no other', async () => {
    const jwks = async (...names: (keyof typeof keys)[]): Promise<object> => ({
      keys: await Promise.all(names.map((name) => exportJWK(keys[name].publicKey))),
    })
    const change = async (body: object): Promise<void> => {
      const components = [client('signed', { authScheme: 'oauth2_jwt_bearer', ...body })]
      expect((await test.studio('POST', '/metadata/v3/apply', { components })).status).toBe(200)
    }
    const tokenOf = async (signer: keyof typeof keys): Promise<string> =>
      String((await granted(await assertion({ signer }))).body['access_token'])
    const tokens = [await tokenOf('one'), await tokenOf('two')]
    const statuses = (): Promise<number[]> =>
      Promise.all(tokens.map(async (each) => (await test.bearer(each)('GET', '/setup/v3/org')).status))
    await change({ jwks: await jwks('two', 'one') })
    expect(await statuses()).toEqual([200, 200])
    await change({ jwks: await jwks('two', 'other') })
    expect(await statuses()).toEqual([401, 200])
    await change({ authScheme: 'oauth2_client_credentials' })
    expect(await statuses()).toEqual([401, 401])
    await change({ jwks: await jwks('one', 'two') })
  })

  it('is accepted once, even if it is sent many times at once', async () => {
    const text = await assertion()
    const answers = await Promise.all(Array.from({ length: 8 }, () => granted(text)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await granted(text)).body).toMatchObject({
      error: 'invalid_grant',
      error_description: 'The assertion was used before: each needs a new "jti".',
    })
  })

  it('that is not sent, or sent in two ways, is refused by name', async () => {
    expect((await token({ grant_type: jwtBearer })).body['error']).toBe('invalid_request')
    const proof = { grant_type: 'client_credentials', client_assertion: await assertion() }
    expect((await token(proof)).body['error_description']).toContain('client_assertion_type')
    const both = { ...proof, client_assertion_type: assertionType, client_secret: 'x' }
    expect((await token(both)).body['error_description']).toContain('not both')
    const foreign = { ...proof, client_assertion_type: assertionType, client_id: 'stranger' }
    expect((await token(foreign)).body).toMatchObject({ error: 'invalid_client' })
    const { status } = await granted('x'.repeat(20_000))
    expect(status).toBe(413)
  })

  it('is accepted once, also after a restart', async () => {
    const text = await assertion()
    expect((await granted(text)).status).toBe(200)
    const verify = () =>
      test.beside(({ clientAssertions }) => clientAssertions.verify(text, [`${test.url}/oauth2/token`]))
    await expect(verify()).rejects.toThrow('was used before')
  })

  it('has no secret', async () => {
    const { status, body } = await test.studio('POST', '/setup/v3/clients/signed/secrets')
    expect([status, body['code']]).toEqual([422, 'request.invalid'])
  })
})
