// Users sign in with a password: sessions, tokens, their permissions, and how guessing is slowed down
// (docs/security.md).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SessionView, SignInView } from '#wire/session.ts'
import { runningServer, type Answer, type Ask, type TestServer } from '../support/running-server.ts'

const password = 'correct horse battery'
const operator = { actor: 'admin', correlationId: 'test', isOperator: true }

let test: TestServer
beforeAll(async () => {
  test = await runningServer()
  await test.beside(async ({ access }) => {
    await access.addUser(operator, {
      key: 'mara',
      name: 'Mara',
      locale: 'de-AT',
      permissionSets: ['administrator'],
      password,
    })
    await access.addUser(operator, { key: 'tom', name: 'Tom', password })
    await access.addUser(operator, { key: 'rob', name: 'Rob, who has no password' })
  })
})
afterAll(() => test.close())

const signIn = (user: string, secret = password, headers: Record<string, string> = {}): Promise<Answer> =>
  test.plain('POST', '/session/password', { user, password: secret }, headers)

/** A browser that signed in. */
async function browser(user: string): Promise<{ ask: Ask; cookie: string; answer: Answer }> {
  const answer = await signIn(user, password, { origin: test.url, 'user-agent': 'Kestrel/1' })
  expect(answer.status).toBe(200)
  const cookie = answer.headers.get('set-cookie')!.split(';')[0]!
  const ask: Ask = (method, path, body, headers = {}) =>
    test.plain(method, path, body, { cookie, origin: test.url, ...headers })
  return { ask, cookie, answer }
}

describe('signing in', () => {
  it('sets a cookie that no page can read and no other site can send', async () => {
    const { answer } = await browser('mara')
    expect(answer.body).toEqual({ user: { key: 'mara', name: 'Mara' }, expiresAt: expect.any(String) })
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^almanac_person_\d+_[0-9a-f]{8}=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
    )
  })

  it('returns the user', async () => {
    const { ask } = await browser('mara')
    const { status, body } = await ask<SessionView>('GET', '/setup/v3/session')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      user: { key: 'mara', name: 'Mara', locale: 'de-AT' },
      through: 'password',
      client: null,
      password: true,
      org: { name: 'Kestrel Test', environment: 'test' },
    })
    expect(body.permissions).toContain('config.author')
    const own = await test.studio<SessionView>('GET', '/setup/v3/session')
    expect(own.body).toMatchObject({
      user: { key: 'admin' },
      through: 'link',
      signIn: expect.any(String) as string,
      password: false,
    })
  })

  const refusals: [string, string, string][] = [
    ['a wrong password', 'mara', 'wrong horse'],
    ['an unknown person', 'nobody', password],
    ['a person without a password', 'rob', password],
  ]
  it.each(refusals)('reveals no more for %s than for any other', async (_, user, secret) => {
    const { status, body, headers } = await signIn(user, secret)
    expect([status, body['code'], body['detail']]).toEqual([
      401,
      'auth.invalid',
      'The user or the password is incorrect.',
    ])
    expect(headers.get('set-cookie')).toBeNull()
  })

  it('is refused from another origin', async () => {
    const { status, body } = await signIn('mara', password, { origin: 'http://evil.example' })
    expect([status, body['code']]).toEqual([403, 'auth.forbidden_origin'])
  })

  it('ends the session that the browser had before', async () => {
    const { ask, cookie } = await browser('mara')
    expect((await signIn('mara', password, { cookie, origin: test.url })).status).toBe(200)
    expect((await ask('GET', '/setup/v3/session')).status).toBe(401)
  })
})

describe('a session', () => {
  it('changes nothing for a page of another origin', async () => {
    const { ask } = await browser('mara')
    const draft = { text: '{}', version: 0 }
    for (const origin of ['http://evil.example', 'null', `${test.url}0`]) {
      const { status, body } = await ask('PUT', '/setup/v3/drafts/value_set/a', draft, { origin })
      expect([status, body['code']]).toEqual([403, 'auth.forbidden_origin'])
    }
    expect((await ask('PUT', '/setup/v3/drafts/value_set/a', draft)).status).toBe(200)
  })

  it('acts as its user, even in what is written', async () => {
    const { ask } = await browser('mara')
    const component = { type: 'value_set', key: 'mine', label: 'Mine', body: { values: [] } }
    expect((await ask('POST', '/metadata/v3/apply', { components: [component] })).status).toBe(200)
    const { body } = await ask<{ generations: { actor: string }[] }>('GET', '/metadata/v3/generations')
    expect(body.generations[0]!.actor).toBe('mara')
    const { ask: other } = await browser('tom')
    const denied = await other('POST', '/metadata/v3/apply', {
      components: [{ ...component, label: 'Other' }],
    })
    expect([denied.status, denied.body['code']]).toEqual([403, 'access.denied'])
  })

  it('can view as another user only with access.manage', async () => {
    const [{ ask: mara }, { ask: tom }] = [await browser('mara'), await browser('tom')]
    const as = (user: string) => ({ 'x-view-as': user })
    expect((await mara<SessionView>('GET', '/setup/v3/session', undefined, as('tom'))).body.user.key).toBe(
      'tom',
    )
    expect((await tom('GET', '/setup/v3/session', undefined, as('mara'))).body['code']).toBe('access.denied')
  })

  it('is audited when it begins to view as another user', async () => {
    const [{ ask: mara }, { ask: tom }] = [await browser('mara'), await browser('tom')]
    const begin = async (ask: typeof mara, user: string): Promise<unknown> => {
      const { status, body } = await ask('POST', `/setup/v3/users/${user}/view-as`)
      return status === 204 ? status : body['code']
    }
    expect(await begin(mara, 'tom')).toBe(204)
    expect(await begin(mara, 'nobody')).toBe('user.not_found')
    expect(await begin(tom, 'mara')).toBe('access.denied')
    const { body } = await test.studio<{ rows: { kind: string; actor: string; component: string }[] }>(
      'GET',
      '/metadata/v3/audit?kind=user.viewed_as',
    )
    expect(body.rows).toMatchObject([{ component: 'user/tom', actor: 'mara' }])
  })

  it('ends by signing out, in this browser and in the list of sign-ins', async () => {
    const { ask, cookie } = await browser('mara')
    const second = await browser('mara')
    const { body } = await ask<{ signIns: SignInView[] }>('GET', '/setup/v3/sign-ins')
    expect(body.signIns.filter(({ current }) => current)).toHaveLength(1)
    expect(body.signIns[0]).toMatchObject({ user: 'mara', kind: 'session', label: 'Kestrel/1' })
    expect(JSON.stringify(body)).not.toContain('hash')
    const mine = (await second.ask<SessionView>('GET', '/setup/v3/session')).body.signIn!
    expect((await ask('DELETE', `/setup/v3/sign-ins/${mine}`)).status).toBe(204)
    expect((await second.ask('GET', '/setup/v3/session')).status).toBe(401)
    expect((await ask('DELETE', `/setup/v3/sign-ins/${mine}`)).body['code']).toBe('sign_in.not_found')
    const out = await ask('DELETE', '/session')
    expect([out.status, out.headers.get('set-cookie')]).toEqual([
      204,
      expect.stringMatching(/^almanac_person_\d+_[0-9a-f]{8}=; .*Expires=Thu, 01 Jan 1970/),
    ])
    const after = await test.plain('GET', '/setup/v3/session', undefined, { cookie })
    expect([after.status, after.body['code'], after.body['details']]).toEqual([
      401,
      'auth.required',
      [{ signIn: '/sign-in', ended: true }],
    ])
  })

  it('ends its event stream', async () => {
    const { ask, cookie } = await browser('mara')
    const stream = await fetch(`${test.url}/setup/v3/events`, { headers: { cookie } })
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader.read()).value).toContain('generation')
    expect((await ask('DELETE', '/session')).status).toBe(204)
    await test.studio('PUT', '/setup/v3/drafts/value_set/later', { text: '{}', version: 0 })
    expect(await reader.read()).toEqual({ done: true, value: undefined })
  })

  it('lists the sign-ins of others only with access.manage', async () => {
    const [{ ask: mara }, { ask: tom }] = [await browser('mara'), await browser('tom')]
    expect((await tom('GET', '/setup/v3/sign-ins?user=*')).body['code']).toBe('access.denied')
    const { body } = await mara<{ signIns: SignInView[] }>('GET', '/setup/v3/sign-ins?user=*')
    expect(new Set(body.signIns.map(({ user }) => user))).toEqual(new Set(['admin', 'mara', 'tom']))
  })

  it('is required', async () => {
    const { status, body } = await test.plain('GET', '/setup/v3/session')
    expect([status, body['code'], body['details']]).toEqual([
      401,
      'auth.required',
      [{ signIn: '/sign-in', ended: false }],
    ])
    expect(body['detail']).toContain('Sign in with your password. Or open the one-time link')
  })
})

describe("a user's token", () => {
  it('is issued for a password, for one hour', async () => {
    const minted = await test.plain('POST', '/session/token', { user: 'tom', password })
    expect(minted.status).toBe(201)
    const hours = (Date.parse(minted.body['expiresAt'] as string) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(0.9)
    expect(hours).toBeLessThanOrEqual(1)
    const ask = test.bearer(minted.body['token'] as string)
    expect((await ask('GET', '/setup/v3/session')).body).toMatchObject({
      user: { key: 'tom' },
      through: 'token',
      client: null,
      signIn: minted.body['id'],
    })
    expect((await ask('GET', '/setup/v3/session', undefined, { 'x-view-as': 'mara' })).body['code']).toBe(
      'access.denied',
    )
  })

  it('is created by a signed-in user, is valid for days, and cannot create another one', async () => {
    const { ask } = await browser('mara')
    const minted = await ask('POST', '/setup/v3/tokens', { label: 'pipeline', days: 90 })
    expect(minted.status).toBe(201)
    const days = (Date.parse(minted.body['expiresAt'] as string) - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(90)
    const bearer = test.bearer(minted.body['token'] as string)
    const refused: [string, string, unknown][] = [
      ['POST', '/setup/v3/tokens', { label: 'more' }],
      ['PUT', '/setup/v3/password', { current: password, password: 'another one' }],
    ]
    for (const [method, path, body] of refused)
      expect((await bearer(method, path, body)).body['code'], path).toBe('access.denied')
    expect((await bearer('DELETE', '/session')).status).toBe(204)
    expect((await bearer('GET', '/setup/v3/session')).status).toBe(401)
    expect((await ask('POST', '/setup/v3/tokens', { label: 'long', days: 1000 })).status).toBe(400)
  })
})

describe('changing a password', () => {
  it('requires the current one, keeps this session and ends the others', async () => {
    const change = { current: password, password: 'staple gun and wire' }
    const [{ ask }, { ask: other }] = [await browser('tom'), await browser('tom')]
    const wrong = await ask('PUT', '/setup/v3/password', { ...change, current: 'guess guess' })
    expect(wrong.body['code']).toBe('auth.invalid')
    const short = await ask('PUT', '/setup/v3/password', { ...change, password: 'short' })
    expect([short.status, short.body['code']]).toEqual([422, 'request.invalid'])
    expect((await ask('PUT', '/setup/v3/password', change)).status).toBe(204)
    expect((await ask('GET', '/setup/v3/session')).status).toBe(200)
    expect((await other('GET', '/setup/v3/session')).status).toBe(401)
    expect((await signIn('tom')).status).toBe(401)
    expect((await signIn('tom', change.password)).status).toBe(200)
  })
})

describe('guessing', () => {
  it('is slowed down by source address, and locks nobody out elsewhere, however many guesses arrive at once', async () => {
    const proxied = await runningServer({ behindProxy: true, publicUrl: 'https://almanac.example.com' })
    try {
      await proxied.beside(({ access }) => access.addUser(operator, { key: 'mara', name: 'Mara', password }))
      const from = (address: string, user: string, secret: string) =>
        fetch(`${proxied.url}/session/password`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-forwarded-for': `203.0.113.9, ${address}`,
          },
          body: JSON.stringify({ user, password: secret }),
        })
      // A stranger at one address waits, and the user at another one does not.
      const guesses = await Promise.all(
        Array.from({ length: 14 }, () => from('198.51.100.1', 'mara', 'wrong horse')),
      )
      expect(guesses.map(({ status }) => status).sort()).toEqual([
        ...Array.from({ length: 10 }, () => 401),
        ...Array.from({ length: 4 }, () => 429),
      ])
      const held = await from('198.51.100.1', 'mara', password)
      expect([held.status, await held.json()]).toEqual([
        429,
        expect.objectContaining({ code: 'auth.throttled' }),
      ])
      expect(Number(held.headers.get('retry-after'))).toBeGreaterThan(0)
      const own = await from('198.51.100.2', 'mara', password)
      expect(own.status).toBe(200)
      // A browser in which the user has signed in has a separate count, even at the stranger's address.
      const device = own.headers.getSetCookie().find((each) => each.includes('almanac_device_'))!
      const known = (secret: string, cookie = device.split(';')[0]!) =>
        fetch(`${proxied.url}/session/password`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-forwarded-for': '198.51.100.1',
            // The page belongs to the proxy, over TLS.
            origin: proxied.url.replace('http:', 'https:'),
            cookie,
          },
          body: JSON.stringify({ user: 'mara', password: secret }),
        })
      expect((await known(password)).status).toBe(200)
      expect((await known(password, device.split(';')[0]!.replace(/.$/, '-'))).status).toBe(429)
      // Every guess is for a different user: they have only the address in common.
      const wide = await Promise.all(
        Array.from({ length: 11 }, (_, n) => from('192.0.2.1', `person${n}`, 'wrong horse')),
      )
      expect(
        wide
          .map(({ status }) => status)
          .sort()
          .at(-1),
      ).toBe(429)
      // No other address is slowed down.
      expect((await from('192.0.2.2', 'unknown', 'wrong horse')).status).toBe(401)
    } finally {
      await proxied.close()
    }
  })
})

describe('a served org', () => {
  it('has no built-in administrator, over TLS by a proxy, and its cookie is only for this host', async () => {
    const served = await runningServer({
      host: '0.0.0.0',
      behindProxy: true,
      publicUrl: 'https://almanac.example.com',
      studio: true,
    })
    try {
      expect(served.server.open).toBeUndefined()
      await served.beside(({ access }) => access.addUser(operator, { key: 'mara', name: 'Mara', password }))
      const url = `http://127.0.0.1:${new URL(served.url).port}`
      const answer = await fetch(`${url}/session/password`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ user: 'mara', password }),
      })
      expect(answer.headers.getSetCookie()[0]).toMatch(
        /^__Host-almanac_person_\d+_[0-9a-f]{8}=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/,
      )
      const nobody = await fetch(`${url}/setup/v3/session`)
      expect(((await nobody.json()) as { detail: string }).detail).not.toContain('link')
    } finally {
      await served.close()
    }
  })
})
