// Sessions are stored, belong to one org and expire; they end on the server, one by one and all at once.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSession, runningServer, type TestServer } from '../support/running-server.ts'
import { operatorName } from '../../server/system/index.ts'
import type { Engines } from '../../server/compose/engines.ts'
import { startServer } from '../../server/index.ts'

const operator = { actor: 'admin', correlationId: 'c', isOperator: true }
const password = 'correct horse battery'

let test: TestServer
beforeEach(async () => {
  test = await runningServer()
  await test.beside(async ({ access }) => {
    await access.addUser(operator, { key: 'mara', name: 'Mara', password })
    await access.addUser(operator, { key: 'sec', name: 'Sec', password, permissionSets: ['administrator'] })
  })
})
afterEach(() => test.close())

async function signedIn(user: string) {
  const answer = await test.plain('POST', '/session/password', { user, password })
  const cookie = answer.headers
    .getSetCookie()
    .find((each) => each.startsWith('almanac_person_'))!
    .split(';')[0]!
  const ask = (method: string, path: string, body?: unknown) =>
    test.plain(method, path, body, { cookie, origin: test.url })
  return { ask, cookie, status: async () => (await ask('GET', '/setup/v3/session')).status }
}

const linkStatus = async (cookie = test.cookie) =>
  (await test.plain('GET', '/setup/v3/session', undefined, { cookie })).status

/** Another start of a server over the same org, on the same port if it is free. */
const again = (port = 0) =>
  startServer({
    ...{ org: test.dir, root: join(import.meta.dirname, '../..'), host: '127.0.0.1', port },
    ...{ studio: true, sample: false },
  })

describe('the session of the one-time link', () => {
  it('has a cookie that names the port and the org', async () => {
    const { lineage } = (await test.studio<{ lineage: string }>('GET', '/setup/v3/org')).body
    const { port } = new URL(test.url)
    expect(test.cookie.split('=')[0]).toBe(`almanac_session_${port}_${lineage.slice(0, 8)}`)
  })

  it('is stored by its hash, listed with its operator, and revoked by signing out', async () => {
    const { body } = await test.studio<{ signIns: object[] }>('GET', '/setup/v3/sign-ins')
    expect(body.signIns).toMatchObject([
      { user: 'admin', kind: 'session', operator: operatorName(), current: true },
    ])
    const secret = test.cookie.split('=')[1]!
    expect(readFileSync(join(test.dir, 'org.sqlite-wal')).includes(secret)).toBe(false)
    const out = await test.studio('DELETE', '/session')
    expect([out.status, out.headers.get('set-cookie')]).toEqual([
      204,
      expect.stringMatching(/^almanac_session_\d+_[0-9a-f]{8}=; .*Expires=Thu, 01 Jan 1970/),
    ])
    expect(await linkStatus()).toBe(401)
  })

  it('is not valid for a different org, even under the name of its cookie', async () => {
    const other = await runningServer()
    try {
      const name = other.cookie.split('=')[0]!
      const secret = test.cookie.split('=')[1]!
      const ask = (cookie: string) => other.plain('GET', '/setup/v3/session', undefined, { cookie })
      expect((await ask(other.cookie)).status).toBe(200)
      expect((await ask(`${name}=${secret}`)).status).toBe(401)
    } finally {
      await other.close()
    }
  })

  it('ends when the server stops, and a session with a password does not', async () => {
    const mara = await signedIn('mara')
    const port = Number(new URL(test.url).port)
    await test.server.close()
    const next = await again(port)
    try {
      const status = async (cookie: string) =>
        (await fetch(`${next.listening}/setup/v3/session`, { headers: { cookie } })).status
      expect(await status(test.cookie)).toBe(401)
      expect(await status(mara.cookie)).toBe(200)
      expect(await status(await openSession(next.open!))).toBe(200)
    } finally {
      await next.close()
    }
  })

  it('is not valid for a second server over the same org', async () => {
    const second = await again()
    try {
      const own = await openSession(second.open!)
      const [name, secret] = [own.split('=')[0]!, test.cookie.split('=')[1]!]
      const status = async (cookie: string) =>
        (await fetch(`${second.listening}/setup/v3/session`, { headers: { cookie } })).status
      expect(await status(own)).toBe(200)
      expect(await status(`${name}=${secret}`)).toBe(401)
    } finally {
      await second.close()
    }
    expect(await linkStatus()).toBe(200)
  })

  it('is not accepted as a session with a password, nor the reverse', async () => {
    const mara = await signedIn('mara')
    const swapped = (cookie: string, from: string, to: string) => cookie.replace(from, to)
    expect(await linkStatus(swapped(test.cookie, 'almanac_session', 'almanac_person'))).toBe(401)
    expect(await linkStatus(swapped(mara.cookie, 'almanac_person', 'almanac_session'))).toBe(401)
  })
})

describe('a session with a password next to one of the link', () => {
  it('does not become the administrator once it has ended', async () => {
    const mara = await signedIn('mara')
    const cookie = `${test.cookie}; ${mara.cookie}`
    const who = async () => {
      const { status, body } = await test.plain('GET', '/setup/v3/session', undefined, { cookie })
      return [status, (body['user'] as { key?: string } | undefined)?.key ?? body['code']]
    }
    expect((await who())[0]).toBe(200)
    await test.studio('DELETE', '/setup/v3/sign-ins?user=mara&kind=session')
    expect(await who()).toEqual([401, 'auth.required'])
    expect(await linkStatus()).toBe(200)
  })
})

describe('the password of an access manager', () => {
  it('is changed with the current one, not as that of another user', async () => {
    const sec = await signedIn('sec')
    for (const [method, path, body] of [
      ['PUT', '/setup/v3/users/sec/password', { password: 'a different long one' }],
      ['POST', '/setup/v3/users/sec/invitation', {}],
    ] as const)
      expect((await sec.ask(method, path, body)).body).toMatchObject({ code: 'access.denied' })
    const theirs = await sec.ask('PUT', '/setup/v3/users/mara/password', { password: 'a different long one' })
    expect(theirs.status).toBe(204)
  })
})

describe('signing out everywhere', () => {
  it('ends every own session at once, and keeps the tokens if only sessions are named', async () => {
    const [first, second] = [await signedIn('mara'), await signedIn('mara')]
    const minted = await first.ask('POST', '/setup/v3/tokens', { label: 'script' })
    const token = test.bearer(minted.body['token'] as string)
    expect((await first.ask('DELETE', '/setup/v3/sign-ins?kind=session')).body).toEqual({ ended: 2 })
    expect([await first.status(), await second.status()]).toEqual([401, 401])
    expect((await token('GET', '/setup/v3/session')).status).toBe(200)
    expect((await (await signedIn('mara')).ask('DELETE', '/setup/v3/sign-ins')).body).toEqual({ ended: 2 })
    expect((await token('GET', '/setup/v3/session')).status).toBe(401)
  })

  it('is possible for a different user only with access.manage', async () => {
    const [mara, sec] = [await signedIn('mara'), await signedIn('sec')]
    expect((await mara.ask('DELETE', '/setup/v3/sign-ins?user=sec')).body['code']).toBe('access.denied')
    expect((await sec.ask('DELETE', '/setup/v3/sign-ins?user=mara')).body).toEqual({ ended: 1 })
    expect([await mara.status(), await sec.status()]).toEqual([401, 200])
  })

  it('also ends a session of the one-time link', async () => {
    const sec = await signedIn('sec')
    expect((await sec.ask('DELETE', '/setup/v3/sign-ins?user=admin')).body).toEqual({ ended: 1 })
    expect(await linkStatus()).toBe(401)
  })
})

it.each([
  [
    'a new password',
    (key: string) =>
      ({ access }: Engines) =>
        access.setPassword(operator, key, password),
  ],
  [
    'deactivation',
    (key: string) =>
      ({ access }: Engines) =>
        access.changeUser(operator, key, { active: false }),
  ],
])('%s ends the sessions of a user, including those of the one-time link', async (_, change) => {
  const mara = await signedIn('mara')
  await test.beside<unknown>(change('mara'))
  expect(await mara.status()).toBe(401)
  expect(await linkStatus()).toBe(200)
  await test.beside<unknown>(change('admin'))
  expect(await linkStatus()).toBe(401)
})

describe('a password in a browser of the one-time link', () => {
  const auditOf = async (kind: string) =>
    (await test.studio<{ rows: object[] }>('GET', `/metadata/v3/audit?kind=${kind}`)).body.rows
  const besideLink = (path: string, cookie = test.cookie) =>
    test.plain('POST', path, { user: 'sec', password }, { cookie, origin: test.url })

  it('keeps the operator, even for a later sign-in after the link has ended', async () => {
    const first = await besideLink('/session/password')
    const person = first.headers.getSetCookie().find((each) => each.startsWith('almanac_person_'))!
    const own = { operator: operatorName(), actor: 'sec' }
    expect(await auditOf('sign_in.opened')).toMatchObject([own, {}])
    const cookie = person.split(';')[0]!
    const ask = (method: string, path: string, body?: unknown) =>
      test.plain(method, path, body, { cookie, origin: test.url })
    await ask('PUT', '/setup/v3/drafts/app/one', { text: '{', version: 0 })
    const { body } = await ask('GET', '/setup/v3/drafts')
    expect(body['drafts']).toMatchObject([{ writers: [{ user: 'sec', operator: operatorName() }] }])
    await besideLink('/session/password', cookie)
    expect((await auditOf('sign_in.opened'))[0]).toMatchObject(own)
  })

  it('keeps the operator in a token for the password', async () => {
    expect((await besideLink('/session/token')).status).toBe(201)
    expect((await auditOf('sign_in.opened'))[0]).toMatchObject({ operator: operatorName(), actor: 'sec' })
  })

  it('names no operator in another browser', async () => {
    await signedIn('sec')
    expect((await auditOf('sign_in.opened'))[0]).not.toHaveProperty('operator')
  })
})
