import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { authorizationRequest } from './authorization-request.ts'
import { exchangeCode } from './exchange-code.ts'
import { codeBody, FakeClock, randomness, response } from './token-fixture.ts'
import type { TokenCall, TokenResponse } from './token-call.ts'

const redirectUri = 'http://127.0.0.1:4680/oauth2/callback'
const secrets = { clientId: 'app', clientSecret: 'canary secret+' }

function begin(more: object = {}) {
  const credential = { credential: 'bank', body: codeBody(more), secrets }
  const { url, pending } = authorizationRequest(credential, redirectUri, randomness)
  const calls: TokenCall[] = []
  const issued = response(200, { access_token: 'a', token_type: 'Bearer', refresh_token: 'r' })
  const end = (query: Record<string, string> | string, answer: TokenResponse = issued) => {
    const send = (call: TokenCall) => {
      calls.push(call)
      return Promise.resolve(answer)
    }
    const text = typeof query === 'string' ? query : new URLSearchParams(query).toString()
    return exchangeCode(credential, pending, text, { send, clock: new FakeClock(), randomness })
  }
  return { url: new URL(url), pending, calls, end }
}

describe('authorizationRequest', () => {
  it('asks for a code with PKCE and a state', () => {
    const { url, pending } = begin({
      audience: 'https://api.example',
      scopes: ['write', 'read'],
      authorizationParameters: { access_type: 'offline', prompt: 'consent' },
    })
    expect(url.origin + url.pathname).toBe('https://login.example/authorize')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      access_type: 'offline',
      prompt: 'consent',
      response_type: 'code',
      client_id: 'app',
      redirect_uri: redirectUri,
      state: pending.state,
      code_challenge: createHash('sha256').update(pending.codeVerifier).digest('base64url'),
      code_challenge_method: 'S256',
      scope: 'read write',
      audience: 'https://api.example',
    })
    expect(pending.codeVerifier).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(url.href).not.toContain('canary')
  })

  it('uses each state and verifier once', () => {
    const both = [begin().pending, begin().pending].flatMap(({ state, codeVerifier }) => [
      state,
      codeVerifier,
    ])
    expect(new Set(both).size).toBe(4)
  })
})

describe('exchangeCode', () => {
  it('sends the code with its verifier, and the client in a header', async () => {
    const { pending, calls, end } = begin({ tokenParameters: { resource: 'https://api.example' } })
    expect(await end({ state: pending.state, code: 'c' })).toEqual({
      accessToken: 'a',
      expiresInSec: null,
      refreshToken: 'r',
    })
    expect(Object.fromEntries(new URLSearchParams(calls[0]!.body))).toEqual({
      resource: 'https://api.example',
      grant_type: 'authorization_code',
      code: 'c',
      redirect_uri: redirectUri,
      code_verifier: pending.codeVerifier,
    })
    expect(calls[0]!.headers.authorization).toBe(`Basic ${btoa('app:canary+secret%2B')}`)
  })

  it('sends a secret in the body, or only the id of a public client', async () => {
    for (const clientAuthentication of ['body', 'none'] as const) {
      const { pending, calls, end } = begin({ clientAuthentication })
      await end({ state: pending.state, code: 'c' })
      const form = new URLSearchParams(calls[0]!.body)
      expect([form.get('client_id'), form.get('client_secret')]).toEqual([
        'app',
        clientAuthentication === 'body' ? 'canary secret+' : null,
      ])
      expect(calls[0]!.headers).not.toHaveProperty('authorization')
    }
  })

  const issuer = 'https://login.example/tenant'
  it.each<[string, object, (state: string) => Record<string, string> | string, RegExp]>([
    ['no state', {}, () => ({ code: 'canary' }), /does not belong/],
    ['a different state', {}, () => ({ code: 'canary', state: 'x' }), /does not belong/],
    ['an error without a state', {}, () => ({ error: 'access_denied' }), /does not belong/],
    ['a refusal', {}, (state) => ({ state, error: 'access_denied' }), /refused/],
    ['an unknown error', {}, (state) => ({ state, error: 'canary' }), /reports an error/],
    ['an inherited error', {}, (state) => ({ state, error: 'constructor' }), /reports an error/],
    ['no code', {}, (state) => ({ state }), /no code/],
    ['two codes', {}, (state) => `state=${state}&code=canary&code=b`, /code twice/],
    ['two states', {}, (state) => `state=${state}&state=${state}&code=canary`, /state twice/],
    ['no issuer', { issuer }, (state) => ({ state, code: 'canary' }), /does not name its issuer/],
    [
      'the issuer of a different tenant',
      { issuer },
      (state) => ({ state, code: 'canary', iss: `${issuer}2` }),
      /different issuer/,
    ],
    [
      'a different server',
      {},
      (state) => ({ state, code: 'canary', iss: 'https://evil.example' }),
      /different server/,
    ],
    [
      'an issuer that is not a URL',
      {},
      (state) => ({ state, code: 'canary', iss: 'login' }),
      /different server/,
    ],
  ])('refuses %s, without a call', async (_, more, query, reason) => {
    const { pending, calls, end } = begin(more)
    const error = await end(query(pending.state)).catch((error: AlmanacError) => error)
    expect(error).toMatchObject({
      code: 'integration.consent_failed',
      message: expect.stringMatching(reason),
    })
    expect(String((error as Error).stack)).not.toContain('canary')
    expect(calls).toEqual([])
  })

  it.each<[string, object]>([
    [issuer, { issuer }],
    ['https://login.example', {}],
  ])('accepts the issuer %s', async (iss, more) => {
    const { pending, end } = begin(more)
    expect(await end({ state: pending.state, code: 'c', iss })).toMatchObject({ accessToken: 'a' })
  })

  it.each([
    [
      'a used code',
      response(400, { error: 'invalid_grant', error_description: 'canary' }),
      'does not accept the code',
    ],
    ['a wrong secret', response(401, { error: 'invalid_client' }), 'invalid_client'],
    ['a fault', response(503, {}), 'status 503'],
  ])('reports %s', async (_, answer, reason) => {
    const { pending, end } = begin()
    const error = await end({ state: pending.state, code: 'canary' }, answer).catch((error: Error) => error)
    expect(error).toMatchObject({
      code: 'integration.consent_failed',
      message: expect.stringContaining(reason),
      cause: undefined,
    })
    expect(String((error as Error).message)).not.toContain('canary')
  })

  it('accepts no state but its own', async () => {
    const { pending, end } = begin()
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (state) => {
        fc.pre(state !== pending.state)
        await expect(end({ state, code: 'c' })).rejects.toThrow(/does not belong/)
      }),
    )
  })
})
