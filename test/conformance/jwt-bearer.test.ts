// Signed assertions (RFC 7523) against Authlib, on loopback. Debian has it as python3-authlib.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { createPublicKey, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { exportJWK } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bodyOf } from '../../server/credentials/schemes/body-fixture.ts'
import { MemoryTokenStore } from '../../server/credentials/tokens/token-fixture.ts'
import { createTokens, type TokenRequest } from '../../server/credentials/tokens/index.ts'
import { sendByFetch } from '../support/authorisation-server.ts'

/** Debian's own, for which the package is. */
const python = '/usr/bin/python3'
const here = spawnSync(python, ['-c', 'import authlib']).status === 0

const keys = {
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  PS256: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  EdDSA: generateKeyPairSync('ed25519').privateKey,
}
type Algorithm = keyof typeof keys
const algorithms = Object.keys(keys) as Algorithm[]

describe.skipIf(!here)(`Authlib${here ? '' : ' (skipped: python3-authlib is not installed)'}`, () => {
  let server: ChildProcess
  let tokenUrl = ''

  beforeAll(async () => {
    const jwks: Record<string, object> = {}
    for (const name of algorithms)
      jwks[name] = { ...(await exportJWK(createPublicKey(keys[name]))), kid: `key of ${name}` }
    const setup = { keys: jwks, subjects: ['mara', ...algorithms], scopes: ['read', 'write'] }
    const script = fileURLToPath(new URL('assertion_server.py', import.meta.url))
    server = spawn(python, [script, JSON.stringify(setup)], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [port] = (await once(server.stdout!, 'data')) as [Buffer]
    tokenUrl = `http://127.0.0.1:${String(port).trim()}/token`
  })
  afterAll(() => server.kill())

  const pem = (key: KeyObject, cipher?: object) =>
    key.export({ type: 'pkcs8', format: 'pem', ...cipher } as { type: 'pkcs8'; format: 'pem' }) as string

  const access = (
    algorithm: Algorithm,
    more: object = {},
    secrets: Record<string, string> = {},
    late = 0,
  ) => {
    const request: TokenRequest = {
      credential: 'ledger',
      principal: 'service',
      user: null,
      secretVersion: '1',
      body: bodyOf('oauth2_jwt_bearer', { tokenUrl, algorithm, scopes: ['read'], ...more }),
      secrets: {
        clientId: algorithm,
        privateKey: pem(keys[algorithm]),
        keyId: `key of ${algorithm}`,
        ...secrets,
      },
    }
    return createTokens({
      store: new MemoryTokenStore(),
      send: sendByFetch,
      clock: { now: () => new Date(Date.now() + late).toISOString() },
      randomness: { bytes: (count) => randomBytes(count) },
      wait: () => Promise.reject(new Error('There is nothing to wait for')),
    }).access(request)
  }
  const claimsOf = (token: string) => JSON.parse(Buffer.from(token, 'base64url').toString()) as object

  it.each(algorithms)('accepts %s', async (algorithm) => {
    const claims = claimsOf(await access(algorithm))
    expect(claims).toMatchObject({
      iss: algorithm,
      sub: algorithm,
      aud: tokenUrl,
      header: { alg: algorithm, kid: `key of ${algorithm}`, typ: 'JWT' },
    })
    const { iat, exp, jti } = claims as { iat: number; exp: number; jti: string }
    expect([exp - iat, jti.length]).toEqual([300, 22])
  })

  it('accepts a subject, a lifetime and more claims', async () => {
    const more = { subject: 'mara', lifetimeSec: 60, claims: { tenant: 't1' } }
    const claims = claimsOf(await access('ES256', more)) as { iat: number; exp: number }
    expect(claims).toMatchObject({ iss: 'ES256', sub: 'mara', tenant: 't1' })
    expect(claims.exp - claims.iat).toBe(60)
  })

  it('accepts an issuer that is not the client id', async () => {
    const claims = claimsOf(await access('ES256', { issuer: 'ES256' }, { clientId: 'other' }))
    expect(claims).toMatchObject({ iss: 'ES256' })
  })

  it('accepts a key that is stored encrypted', async () => {
    const privateKey = pem(keys.RS256, { cipher: 'aes-256-cbc', passphrase: 'open sesame' })
    expect(await access('RS256', {}, { privateKey, passphrase: 'open sesame' })).toBeTruthy()
  })

  it.each<[string, object, Record<string, string>, number, RegExp]>([
    [
      'a different key',
      {},
      { privateKey: pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey) },
      0,
      /invalid_grant/,
    ],
    ['a different key id', {}, { keyId: 'other' }, 0, /invalid_client/],
    ['an unknown subject', { subject: 'nobody' }, {}, 0, /invalid_grant/],
    ['a different audience', { audience: 'https://other.example' }, {}, 0, /invalid_grant/],
    ['an assertion that has expired', {}, {}, -3_600_000, /invalid_grant/],
    ['an unknown scope', { scopes: ['canary'] }, {}, 0, /invalid_scope/],
  ])('refuses %s', async (_, more, secrets, late, reason) => {
    const error = await access('ES256', more, secrets, late).catch((error: Error) => error)
    expect(error).toMatchObject({
      code: 'integration.token_refused',
      message: expect.stringMatching(reason),
      cause: undefined,
    })
    expect((error as Error).message).not.toContain('canary')
  })

  it.each<[Algorithm, Algorithm, RegExp]>([
    ['RS256', 'ES256', /slot privateKey .* not a key for RS256: it needs RSA/],
    ['ES256', 'RS256', /P-256/],
    ['EdDSA', 'ES256', /Ed25519/],
    ['PS256', 'EdDSA', /RSA/],
  ])('is not asked to accept %s with a key for %s', async (algorithm, other, reason) => {
    await expect(access(algorithm, {}, { privateKey: pem(keys[other]) })).rejects.toMatchObject({
      code: 'integration.secret_invalid',
      message: expect.stringMatching(reason),
    })
  })
})
