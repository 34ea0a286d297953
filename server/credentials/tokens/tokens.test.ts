import { describe, expect, it } from 'vitest'
import type { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { CalloutFault } from '../../ports/callout-transport.ts'
import { bodyOf } from '../schemes/body-fixture.ts'
import { clientRequest, codeBody, fixture, response, userRequest, type Fixture } from './token-fixture.ts'

const minute = 60_000
const hour = 60 * minute

async function consented(): Promise<Fixture> {
  const made = fixture()
  await made.tokens.accept(userRequest(), made.server.consent(), ['read'])
  return made
}

const fails = (code: string, more: object = {}) => expect.objectContaining({ code, ...more })
const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error as AlmanacError,
  )

describe('access', () => {
  it('requests one token and uses it until shortly before it expires', async () => {
    const { tokens, server, clock } = fixture()
    expect(await tokens.access(clientRequest())).toBe('access-1')
    clock.ms += hour - minute - 1
    expect(await tokens.access(clientRequest())).toBe('access-1')
    clock.ms += 1
    expect(await tokens.access(clientRequest())).toBe('access-2')
    expect(server.calls).toHaveLength(2)
  })

  it.each<[string, object, number, number]>([
    ['60 s ahead', {}, 3600, 3540],
    ['as far ahead as the body states', { refreshAheadSec: 600 }, 3600, 3000],
    ['not ahead', { refreshAheadSec: 0 }, 3600, 3600],
    ['after half of a short life', {}, 30, 15],
  ])('renews %s', async (_, more, expiresIn, at) => {
    const { tokens, server, clock } = fixture()
    const body = bodyOf('oauth2_client_credentials', { tokenUrl: 'https://login.example/token', ...more })
    server.expiresIn = expiresIn
    await tokens.access(clientRequest({ body }))
    clock.ms += at * 1000 - 1
    expect(await tokens.access(clientRequest({ body }))).toBe('access-1')
    clock.ms += 1
    expect(await tokens.access(clientRequest({ body }))).toBe('access-2')
  })

  it('uses a token without an expiry until it is refused', async () => {
    const { tokens, server, clock } = fixture()
    server.expiresIn = undefined
    await tokens.access(clientRequest())
    clock.ms += 1000 * hour
    expect(await tokens.access(clientRequest())).toBe('access-1')
    expect(await tokens.renew(clientRequest(), 'access-1')).toBe('access-2')
  })

  it('makes one request for all calls at once', async () => {
    const { tokens, server, clock } = fixture()
    const before = clock.ms
    const all = await Promise.all(Array.from({ length: 20 }, () => tokens.access(clientRequest())))
    expect(new Set(all)).toEqual(new Set(['access-1']))
    expect(server.calls).toHaveLength(1)
    // None has waited for the claim of another.
    expect(clock.ms).toBe(before)
  })

  it('keeps the tokens of users and principals apart', async () => {
    const { tokens, store } = fixture()
    await tokens.access(clientRequest())
    await tokens.access(clientRequest({ principal: 'other' }))
    await tokens.access(clientRequest({ user: 'mara' }))
    expect([...store.rows.values()].map((each) => each.tokens.accessToken)).toEqual([
      'access-1',
      'access-2',
      'access-3',
    ])
  })

  it('keeps no token in memory after the call', async () => {
    const { tokens, store } = fixture()
    await tokens.access(clientRequest())
    store.rows.clear()
    expect(await tokens.access(clientRequest())).toBe('access-2')
  })

  it('reports a slot that is absent, and holds no claim', async () => {
    const { tokens, store, server } = fixture()
    const request = clientRequest({ secrets: { clientId: 'app' } })
    await expect(tokens.access(request)).rejects.toEqual(fails('integration.secret_absent'))
    expect(server.calls).toEqual([])
    expect(store.row?.claim).toBeNull()
  })
})

describe('a user', () => {
  it('is asked for consent first', async () => {
    const { tokens, server } = fixture()
    await expect(tokens.access(userRequest())).rejects.toEqual(
      fails('integration.consent_required', {
        details: [{ credential: 'bank', principal: 'service', user: 'mara' }],
      }),
    )
    expect(server.calls).toEqual([])
  })

  it('is not asked again while the grant is valid', async () => {
    const { tokens, clock, store } = await consented()
    expect(await tokens.access(userRequest())).toBe('access-0')
    clock.ms += 100 * hour
    expect(await tokens.access(userRequest())).toBe('access-2')
    expect(store.row?.refreshToken).toBe('refresh-1')
  })

  it('gets the new refresh token of a server that rotates them', async () => {
    const { tokens, clock, server, store } = await consented()
    server.policy = 'rotating'
    for (let round = 0; round < 5; round++) {
      clock.ms += hour
      await tokens.access(userRequest())
      expect(server.isValid(store.row?.refreshToken)).toBe(true)
    }
  })

  it('is asked again only after invalid_grant, once', async () => {
    const { tokens, clock, server, store } = await consented()
    server.revoke()
    clock.ms += hour
    for (let round = 0; round < 3; round++)
      await expect(tokens.access(userRequest())).rejects.toEqual(fails('integration.consent_required'))
    expect(server.calls).toHaveLength(1)
    expect(store.row).toMatchObject({ accessToken: null, refreshToken: null, claim: null })
    await tokens.accept(userRequest(), server.consent(), ['read'])
    expect(await tokens.access(userRequest())).toBe('access-0')
  })

  it('keeps the token of a server that issues none to refresh', async () => {
    const { tokens, clock } = fixture()
    const issued = { accessToken: 'only', expiresInSec: 3600, refreshToken: null }
    await tokens.accept(userRequest(), issued, ['read'])
    clock.ms += hour - 1
    expect(await tokens.access(userRequest())).toBe('only')
    clock.ms += 1
    await expect(tokens.access(userRequest())).rejects.toEqual(fails('integration.consent_required'))
  })

  it('is forgotten', async () => {
    const { tokens, store } = await consented()
    await tokens.forget({ credential: 'bank', principal: 'service', user: 'mara' })
    await tokens.forget({ credential: 'bank', principal: 'service', user: 'mara' })
    expect(store.rows.size).toBe(0)
  })
})

describe('a changed credential', () => {
  it.each<[string, Parameters<typeof userRequest>[0], string]>([
    ['a new secret: a new token, the same consent', { secretVersion: '2' }, 'access-2'],
    ['more ahead', { body: codeBody({ refreshAheadSec: 5 }) }, 'access-2'],
    ['fewer scopes', { body: codeBody({ scopes: [] }) }, 'access-2'],
    ['more scopes', { body: codeBody({ scopes: ['read', 'write'] }) }, 'integration.consent_required'],
    [
      'a different token URL, which must not see the tokens',
      { body: codeBody({ tokenUrl: 'https://evil.example' }) },
      'integration.consent_required',
    ],
    ['a different client', { secrets: { clientId: 'b', clientSecret: 'c' } }, 'integration.consent_required'],
  ])('%s', async (_, more, result) => {
    const { tokens } = await consented()
    await tokens.access(userRequest())
    const changed = tokens.access(userRequest(more))
    expect(await changed.catch(({ code }: AlmanacError) => code)).toBe(result)
  })

  it('with a new secret ends the pause of the old one', async () => {
    const { tokens, server } = fixture()
    server.faults.push(response(401, { error: 'invalid_client' }))
    await errorOf(tokens.access(clientRequest()))
    expect(await errorOf(tokens.access(clientRequest()))).toMatchObject({ code: 'integration.token_refused' })
    expect(await tokens.access(clientRequest({ secretVersion: '2' }))).toBe('access-1')
  })
})

describe('a failed request', () => {
  const faults: [string, Parameters<Fixture['server']['faults']['push']>[0], string][] = [
    ['500', response(500, {}), 'integration.token_unavailable'],
    ['503 with HTML', { status: 503, text: '<html>' }, 'integration.token_unavailable'],
    ['429', response(429, { error: 'slow_down' }), 'integration.token_unavailable'],
    ['a timeout', new CalloutFault('timeout', 'no answer', true), 'integration.token_unavailable'],
    ['no connection', new CalloutFault('unreachable', 'ECONNREFUSED', true), 'integration.token_unavailable'],
    [
      'an address that is not allowed',
      new CalloutFault('address', '10.0.0.1', false),
      'integration.token_refused',
    ],
    ['invalid_client', response(401, { error: 'invalid_client' }), 'integration.token_refused'],
    ['invalid_scope', response(400, { error: 'invalid_scope' }), 'integration.token_refused'],
    ['404', { status: 404, text: 'Not found' }, 'integration.token_refused'],
    ['a page', { status: 200, text: '<html>' }, 'integration.token_refused'],
    ['a redirect', { status: 302 }, 'integration.token_refused'],
  ]

  it('names what failed, and nothing of the request', async () => {
    const { tokens, server } = fixture()
    server.faults.push(new CalloutFault('timeout', 'canary-secret', true))
    const error = await errorOf(tokens.access(clientRequest()))
    expect(error?.message).toMatch(/issued no token: it did not respond in time\. It is asked again/)
  })

  it.each(faults)('with %s keeps the grant, and pauses', async (_, fault, code) => {
    const { tokens, clock, server, store } = await consented()
    clock.ms += hour
    server.faults.push(fault)
    await expect(tokens.access(userRequest())).rejects.toEqual(fails(code))
    await expect(tokens.access(userRequest())).rejects.toEqual(fails(code))
    expect(server.calls).toHaveLength(1)
    expect(store.row).toMatchObject({ refreshToken: 'refresh-1', claim: null })
    clock.ms += 5000
    expect(await tokens.access(userRequest())).toBe('access-2')
    expect(store.row?.pause).toBeNull()
  })

  it('grows the pauses to five minutes, and takes a longer one from the server', async () => {
    const { tokens, clock, server } = fixture()
    const pauses: (number | undefined)[] = []
    for (let count = 0; count < 9; count++) {
      server.faults.push(response(503, {}, count === 8 ? { 'retry-after': '1200' } : {}))
      const error = await errorOf(tokens.access(clientRequest()))
      pauses.push(error?.retryAfter)
      clock.ms += (error?.retryAfter ?? 0) * 1000
    }
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 1200])
    expect(server.calls).toHaveLength(9)
  })

  it('ahead of the expiry does no harm', async () => {
    const { tokens, clock, server } = await consented()
    clock.ms += hour - 30_000
    server.faults.push(response(503, {}))
    expect(await tokens.access(userRequest())).toBe('access-0')
    expect(await tokens.access(userRequest())).toBe('access-0')
    expect(server.calls).toHaveLength(1)
    clock.ms += 5000
    expect(await tokens.access(userRequest())).toBe('access-2')
  })

  it('never shows what the server wrote, or what was sent', async () => {
    const { tokens, clock, server } = await consented()
    const texts: string[] = []
    for (const description of ['canary-secret', 'refresh-1', 'app:canary-secret']) {
      clock.ms += hour
      for (const status of [200, 400, 500])
        for (const error of ['invalid_scope', 'invalid_request', description]) {
          server.faults.push(
            response(status, { error, error_description: description, error_uri: description }),
          )
          const failed = await errorOf(tokens.access(userRequest()))
          texts.push(JSON.stringify([failed?.message, failed?.details, failed?.cause, failed?.stack]))
          clock.ms += hour
        }
    }
    clock.ms += hour
    server.faults.push(new CalloutFault('lost', 'canary-secret', true))
    const failed = await errorOf(tokens.access(userRequest()))
    texts.push(`${failed?.message} ${String(failed?.cause)}`)
    expect(texts.filter((text) => /canary|refresh-1/.test(text))).toEqual([])
    expect(texts.every((text) => text.includes('bank'))).toBe(true)
  })
})

describe('a request ahead of the expiry', () => {
  it('delays no other call', async () => {
    const { clock, server, process, tokens: first } = await consented()
    clock.ms += hour - 30_000
    let respond = () => {}
    const held = new Promise<void>((resolve) => (respond = resolve))
    const tokens = process({
      send: async (call) => {
        await held
        return server.send(call)
      },
    })
    const slow = tokens.access(userRequest())
    expect(await tokens.access(userRequest())).toBe('access-0')
    expect(await first.access(userRequest())).toBe('access-0')
    const renewed = tokens.renew(userRequest(), 'access-0')
    respond()
    expect([await slow, await renewed]).toEqual(['access-2', 'access-2'])
    expect(server.calls).toHaveLength(1)
  })
})

describe('renew', () => {
  it('requests a new token after a refusal, and others use it', async () => {
    const { tokens, server, clock } = fixture()
    await tokens.access(clientRequest())
    clock.ms += minute
    const [a, b] = await Promise.all([1, 2].map(() => tokens.renew(clientRequest(), 'access-1')))
    expect([a, b]).toEqual(['access-2', 'access-2'])
    expect(await tokens.renew(clientRequest(), 'access-1')).toBe('access-2')
    expect(server.calls).toHaveLength(2)
  })

  it('does not request token after token for an endpoint that refuses all', async () => {
    const { tokens, server, clock } = fixture()
    const first = await tokens.access(clientRequest())
    clock.ms += minute
    const second = await tokens.renew(clientRequest(), first)
    await expect(tokens.renew(clientRequest(), second)).rejects.toEqual(fails('integration.token_refused'))
    expect(server.calls).toHaveLength(2)
  })

  it('reports a server that issues the refused token again', async () => {
    const { tokens, server, clock } = fixture()
    const token = await tokens.access(clientRequest())
    clock.ms += minute
    server.faults.push(response(200, { access_token: token, token_type: 'Bearer', expires_in: 60 }))
    await expect(tokens.renew(clientRequest(), token)).rejects.toEqual(fails('integration.token_refused'))
    expect(server.calls).toHaveLength(2)
  })

  it('that joins a failing request ahead of the expiry reports its failure', async () => {
    const { tokens, server, clock } = await consented()
    clock.ms += hour - 30_000
    server.faults.push(response(503, {}))
    const ahead = tokens.access(userRequest())
    await expect(tokens.renew(userRequest(), 'access-0')).rejects.toEqual(
      fails('integration.token_unavailable'),
    )
    expect(await ahead).toBe('access-0')
  })

  it('does not return the refused token when the request fails', async () => {
    const { tokens, server, clock } = await consented()
    clock.ms += minute
    server.faults.push(response(500, {}))
    await expect(tokens.renew(userRequest(), 'access-0')).rejects.toEqual(
      fails('integration.token_unavailable'),
    )
  })
})

describe('state', () => {
  it('reports whether consent is needed, without tokens', async () => {
    const { tokens, clock, server } = fixture()
    const idle = { obtainedAt: null, expiresAt: null, pausedUntil: null }
    expect(await tokens.state(userRequest())).toEqual({ state: 'consent_required', ...idle })
    expect(await tokens.state(clientRequest())).toEqual({ state: 'ready', ...idle })
    server.faults.push(response(500, {}))
    await errorOf(tokens.access(clientRequest()))
    expect(await tokens.state(clientRequest())).toEqual({
      state: 'paused',
      ...idle,
      pausedUntil: clock.ms + 5000,
    })
    await tokens.accept(userRequest(), server.consent(), ['read'])
    expect(await tokens.state(userRequest())).toEqual({
      state: 'ready',
      obtainedAt: clock.ms,
      expiresAt: clock.ms + hour,
      pausedUntil: null,
    })
  })
})
