// OAuth against a certified authorisation server (oidc-provider), on loopback.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportJWK } from 'jose'
import type { AlmanacError } from '../../server/kernel/errors/almanac-error.ts'
import { bodyOf } from '../../server/credentials/schemes/body-fixture.ts'
import { MemoryTokenStore } from '../../server/credentials/tokens/token-fixture.ts'
import {
  authorizationRequest,
  createTokens,
  exchangeCode,
  type TokenRequest,
} from '../../server/credentials/tokens/index.ts'
import {
  sendByFetch,
  startAuthorisationServer,
  type AuthorisationServer,
} from '../support/authorisation-server.ts'

const redirectUri = 'https://almanac.example/oauth2/callback'
const randomness = { bytes: (count: number) => randomBytes(count) }
const clientSecret = 'a secret: with + and %'
const code = { grant_types: ['authorization_code', 'refresh_token'], redirect_uris: [redirectUri] }
const client = { grant_types: ['client_credentials'], response_types: [], redirect_uris: [] }
const signing = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = signing.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string

describe('oidc-provider', () => {
  let server: AuthorisationServer
  let late = 0
  const clock = { now: () => new Date(Date.now() + late).toISOString() }
  const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
  const deps = { send: sendByFetch, clock, randomness }

  beforeAll(async () => {
    const jwks = { keys: [{ ...(await exportJWK(signing.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }] }
    const secret = { client_secret: clientSecret }
    server = await startAuthorisationServer([
      { client_id: 'basic', ...client, ...secret, scope: 'read' },
      { client_id: 'body', ...client, ...secret, token_endpoint_auth_method: 'client_secret_post' },
      {
        client_id: 'signed',
        ...client,
        jwks,
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: 'ES256',
      },
      { client_id: 'web', ...code, ...secret },
      { client_id: 'public', ...code, token_endpoint_auth_method: 'none' },
    ])
  })
  afterAll(() => server.close())

  const address = { credential: 'bank', principal: 'service', secretVersion: '1' }
  const clientRequest = (
    clientId: string,
    more: object = {},
    secrets: object = { clientSecret },
  ): TokenRequest => ({
    ...address,
    user: null,
    body: bodyOf('oauth2_client_credentials', { tokenUrl: server.tokenUrl, scopes: ['read'], ...more }),
    secrets: { clientId, ...secrets },
  })

  describe('client credentials', () => {
    it.each([
      ['basic', {}, { clientSecret }],
      ['body', { clientAuthentication: 'body' }, { clientSecret }],
      [
        'signed',
        { clientAuthentication: 'private_key_jwt', algorithm: 'ES256' },
        { privateKey: pem, keyId: 'k1' },
      ],
    ])('with %s', async (clientId, more, secrets) => {
      const tokens = createTokens({ ...deps, store: new MemoryTokenStore(), wait })
      const request = clientRequest(clientId, { ...more, issuer: server.issuer }, secrets)
      const token = await tokens.access(request)
      expect(token.length).toBeGreaterThan(20)
      expect(await tokens.access(request)).toBe(token)
    })

    it.each([
      ['a wrong secret', {}, { clientSecret: 'canary' }, 'invalid_client'],
      ['a scope that is not allowed', { scopes: ['openid'] }, { clientSecret }, 'invalid_scope'],
    ])('reports %s', async (_, more, secrets, reason) => {
      const tokens = createTokens({ ...deps, store: new MemoryTokenStore(), wait })
      const error = await tokens.access(clientRequest('basic', more, secrets)).catch((error: Error) => error)
      expect(error).toMatchObject({
        code: 'integration.token_refused',
        message: expect.stringContaining(reason),
      })
      expect((error as Error).message).not.toContain('canary')
    })
  })

  describe('an authorisation code', () => {
    const body = (more: object = {}) =>
      bodyOf('oauth2_authorization_code', {
        tokenUrl: server.tokenUrl,
        authorizationUrl: server.authorizationUrl,
        scopes: ['openid', 'offline_access'],
        authorizationParameters: { prompt: 'consent' },
        issuer: server.issuer,
        ...more,
      })
    const userRequest = (clientId = 'web', more: object = {}) => ({
      ...address,
      user: 'mara',
      body: body(more),
      secrets: { clientId, clientSecret },
    })

    async function consented(clientId = 'web', more: object = {}) {
      const request = userRequest(clientId, more)
      const store = new MemoryTokenStore()
      const tokens = createTokens({ ...deps, store, wait })
      const { url, pending } = authorizationRequest(request, redirectUri, randomness)
      const back = await server.visit(url)
      await tokens.accept(request, await exchangeCode(request, pending, back.search, deps), pending.scopes)
      return { request, store, tokens, back, pending }
    }

    it.each([
      ['web', {}],
      ['public', { clientAuthentication: 'none' }],
    ])('with PKCE, for the client %s', async (clientId, more) => {
      const { request, tokens, back } = await consented(clientId, more)
      expect(back.searchParams.get('iss')).toBe(server.issuer)
      expect(await server.accepts(await tokens.access(request))).toBe(true)
    })

    it('is refused by the user', async () => {
      const request = userRequest()
      const { url, pending } = authorizationRequest(request, redirectUri, randomness)
      const back = await server.visit(url, 'abort')
      await expect(exchangeCode(request, pending, back.search, deps)).rejects.toThrow(/refused/)
    })

    it('is valid once, and only with its verifier', async () => {
      const { request, back, pending } = await consented()
      await expect(exchangeCode(request, pending, back.search, deps)).rejects.toThrow(
        /does not accept the code/,
      )
      const second = authorizationRequest(request, redirectUri, randomness)
      const { search } = await server.visit(second.url)
      const stolen = { ...second.pending, codeVerifier: pending.codeVerifier }
      await expect(exchangeCode(request, stolen, search, deps)).rejects.toThrow(/does not accept the code/)
    })

    it('gives refresh tokens that are valid once', async () => {
      const { request, tokens, store } = await consented()
      const seen = new Set([store.row!.refreshToken])
      for (let round = 0; round < 3; round++) {
        late += 7_200_000
        const token = await tokens.access(request)
        expect(await server.accepts(token)).toBe(true)
        seen.add(store.row!.refreshToken)
      }
      expect(seen.size).toBe(4)
    })

    it('is asked for again after it was revoked', async () => {
      const { request, tokens } = await consented()
      const token = await tokens.access(request)
      await server.revoke()
      expect(await server.accepts(token)).toBe(false)
      late += 7_200_000
      const error = await tokens.renew(request, token).catch((error: AlmanacError) => error)
      expect(error).toMatchObject({ code: 'integration.consent_required' })
    })
  })
})
