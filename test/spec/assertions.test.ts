// Assertions over HTTP: as a grant, and as the proof of a client.
import { createHmac, randomUUID } from 'node:crypto'
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type JWTPayload } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runningServer, type Answer, type TestServer } from '../support/running-server.ts'
import { everything, readerClient } from '../support/small-org.ts'
import { assertionCases, type AssertionCase } from './assertions.table.ts'

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const extractable = { extractable: true }

const keys = {
  ec: await generateKeyPair('ES256'),
  // Of RS256 by default. Imported without an algorithm, so that it can sign with another.
  rsa: await generateKeyPair('RS256', extractable),
  pss: await generateKeyPair('PS256', extractable),
  ed: await generateKeyPair('Ed25519'),
  p384: await generateKeyPair('ES384'),
  stranger: await generateKeyPair('ES256'),
  unknown: await generateKeyPair('ES256'),
}
const algorithms = { ec: 'ES256', rsa: 'RS256', pss: 'PS256', ed: 'Ed25519', p384: 'ES384' }
const publicKey = async (name: keyof typeof keys): Promise<object> => exportJWK(keys[name].publicKey)

let test: TestServer
beforeAll(async () => {
  test = await runningServer()
  await test.studio('POST', '/metadata/v3/apply', { components: everything })
  await test.studio('POST', '/setup/v3/users', { key: 'rea', name: 'Rea', permissionSets: ['readers'] })
  const signing = (key: string, own: object[]): object => ({
    ...{ ...readerClient, key, label: key },
    body: { ...readerClient.body, authScheme: 'oauth2_jwt_bearer', jwks: { keys: own } },
  })
  const components = [
    signing('signed', [
      await publicKey('ec'),
      await publicKey('rsa'),
      { ...(await publicKey('pss')), alg: 'PS256' },
      await publicKey('ed'),
    ]),
    signing('stranger', [await publicKey('stranger')]),
    readerClient,
  ]
  const applied = await test.studio('POST', '/metadata/v3/apply', { components })
  expect(applied.status).toBe(200)
})
afterAll(() => test.close())

const sendForm = (form: Record<string, string>): Promise<Answer> =>
  test.plain('POST', '/oauth2/token', new URLSearchParams(form).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  })
const asGrant = (assertion: string): Promise<Answer> => sendForm({ grant_type: jwtBearer, assertion })
const asProof = (assertion: string): Promise<Answer> =>
  sendForm({
    ...{ grant_type: 'client_credentials', client_assertion_type: assertionType },
    client_assertion: assertion,
  })

async function assertionOf({
  claims = {},
  seconds = {},
  without,
  signer = 'ec',
  header = {},
  aud = '{token}',
}: Partial<AssertionCase> = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const filled = JSON.parse(
    JSON.stringify(aud).replaceAll('{token}', `${test.url}/oauth2/token`).replaceAll('{issuer}', test.url),
  ) as string
  const times = Object.fromEntries(Object.entries(seconds).map(([name, after]) => [name, now + after]))
  const payload: JWTPayload = {
    ...{ iss: 'signed', sub: 'signed', aud: filled, jti: randomUUID(), iat: now, exp: now + 60 },
    ...{ ...times, ...claims },
  }
  const kept = Object.entries(payload).filter(([name]) => name !== without)
  const alg = header.alg ?? algorithms[signer as keyof typeof algorithms] ?? 'ES256'
  const { privateKey } = keys[signer]
  const isOtherUse = signer !== 'ed' && header.alg !== undefined
  const key = isOtherUse ? { ...(await exportJWK(privateKey)), alg } : privateKey
  return new SignJWT(Object.fromEntries(kept)).setProtectedHeader({ ...header, alg }).sign(key)
}
/** Ten failures in a minute would be throttled; a success ends their count. */
const endCount = async (): Promise<void> => expect((await asGrant(await assertionOf())).status).toBe(200)

describe('an assertion', () => {
  it.each(assertionCases)('$name', async ({ refused, ...terms }) => {
    await endCount()
    const [grant, proof] = [await asGrant(await assertionOf(terms)), await asProof(await assertionOf(terms))]
    if (refused === null) {
      expect([grant.status, proof.status]).toEqual([200, 200])
      for (const { body } of [grant, proof]) {
        const me = await test.bearer(String(body['access_token']))('GET', '/setup/v3/org')
        expect(me.body['me']).toMatchObject({ key: 'rea' })
      }
      return
    }
    expect([grant.status, grant.body['error']]).toEqual([400, 'invalid_grant'])
    expect([proof.status, proof.body['error']]).toEqual([401, 'invalid_client'])
    for (const { body } of [grant, proof]) expect(body['error_description']).toMatch(refused)
  })

  it('counts once, in either use, even with other claims', async () => {
    await endCount()
    const claims = { jti: randomUUID() }
    expect((await asProof(await assertionOf({ claims }))).status).toBe(200)
    for (const send of [asGrant, asProof]) {
      const again = await send(await assertionOf({ claims, signer: 'rsa', seconds: { exp: 120 } }))
      expect(again.body['error_description']).toMatch(/was used before/)
    }
  })

  it('counts once in every process', async () => {
    const text = await assertionOf()
    const verify = () =>
      test.beside(({ clientAssertions }) => clientAssertions.verify(text, [`${test.url}/oauth2/token`]))
    await expect(verify()).resolves.toMatchObject({ client: 'signed' })
    expect((await asGrant(text)).body['error_description']).toMatch(/was used before/)
  })

  it.each([
    ['issuer', '{"iss":"stranger",', '{'],
    ['audience', '{"aud":"https://elsewhere.example",', '{'],
    ['end', '{"exp":1,', '{'],
    ['key', '{', '{"kid":"other",'],
    ['end after a claim that is nested deeply', `{"deep":${'['.repeat(300)}${']'.repeat(300)},"exp":1,`, '{'],
  ])('with two values of its %s is refused', async (_what, claims, header) => {
    await endCount()
    const encode = (text: string): string => Buffer.from(text).toString('base64url')
    const [first = '', second = ''] = (await assertionOf()).split('.')
    const textOf = (part: string): string => Buffer.from(part, 'base64url').toString()
    const more = header === '{' ? '' : `${header}"kid":"other",`
    const input = [
      encode(more === '' ? textOf(first) : textOf(first).replace('{', more)),
      encode(textOf(second).replace('{', claims)),
    ].join('.')
    const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
    const signature = await crypto.subtle.sign(algorithm, keys.ec.privateKey, Buffer.from(input))
    const { status, body } = await asGrant(`${input}.${Buffer.from(signature).toString('base64url')}`)
    expect([status, body['error_description']]).toEqual([
      400,
      'The assertion is not valid, or its client or key is unknown.',
    ])
  })

  it('is a grant for the client that is named, or that proves itself beside it', async () => {
    const send = async (more: Record<string, string>): Promise<Answer> =>
      sendForm({ grant_type: jwtBearer, assertion: await assertionOf(), ...more })
    const proofOf = async (terms: Partial<AssertionCase>): Promise<Record<string, string>> => ({
      ...{ client_assertion_type: assertionType, client_assertion: await assertionOf(terms) },
    })
    const stranger = { claims: { iss: 'stranger', sub: 'stranger' }, signer: 'stranger' } as const
    for (const more of [{ client_id: 'signed' }, await proofOf({})])
      expect((await send(more)).status).toBe(200)
    const refused = [
      [await send({ client_id: 'stranger' }), 400, 'invalid_grant'],
      [await send(await proofOf(stranger)), 400, 'invalid_grant'],
      [await send(await proofOf({ signer: 'unknown' })), 401, 'invalid_client'],
      [await send({ client_assertion: await assertionOf() }), 400, 'invalid_request'],
      [await send({ client_id: 'reader', client_secret: 'x' }), 400, 'invalid_request'],
    ] as const
    for (const [{ status, body }, expected, error] of refused)
      expect([status, body['error']]).toEqual([expected, error])
    await endCount()
  })

  it('is refused without a signature, with the public key as a secret, and for another host name', async () => {
    await endCount()
    const [, payload = ''] = (await assertionOf()).split('.')
    const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    const forged: string[] = []
    for (const name of ['ec', 'rsa'] as const)
      for (const secret of [await exportSPKI(keys[name].publicKey), JSON.stringify(await publicKey(name))]) {
        const input = `${encode({ alg: 'HS256' })}.${payload}`
        forged.push(`${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`)
      }
    const unsigned = ['none', 'None', 'NONE'].map((alg) => `${encode({ alg })}.${payload}.`)
    // The text itself is what is signed, and not what it encodes.
    const raw = encode({ alg: 'ES256', b64: false, crit: ['b64'] })
    for (const text of [
      ...unsigned,
      ...forged,
      `${raw}.${payload}.AAAA`,
      `${payload}`,
      `a.${payload}.b.c.d`,
    ]) {
      const { status, body } = await asGrant(text)
      expect([status, body['error']]).toEqual([400, 'invalid_grant'])
      await endCount()
    }
    const { port } = new URL(test.url)
    const other = `http://localhost:${port}`
    const response = await test.plain(
      'POST',
      '/oauth2/token',
      new URLSearchParams({ grant_type: jwtBearer, assertion: await assertionOf({ aud: other }) }).toString(),
      { 'content-type': 'application/x-www-form-urlencoded', host: `localhost:${port}` },
    )
    expect(response.body['error_description']).toMatch(/"aud"/)
  })
})
