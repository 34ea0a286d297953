import { beforeEach, describe, expect, it } from 'vitest'
import { made } from '../../test/support/metadata.ts'
import { MemoryOrgStore } from '../../test/support/memory-org-store.ts'
import { createAccess, type Access } from './index.ts'

const start = Date.parse('2026-03-01T08:00:00.000Z')
const minute = 60_000
const by = { actor: 'mara', correlationId: 'c1' }

let store: MemoryOrgStore
let access: Access
let now: number

beforeEach(() => {
  now = start
  store = new MemoryOrgStore()
  store.addGeneration([made('permission_set', 'security', { systemPermissions: ['access.manage'] })])
  store.putUser({ key: 'mara' })
  store.putUser({ key: 'tom' })
  store.putUser({ key: 'sec', permissionSets: ['security'] })
  let count = 0
  access = createAccess({
    store,
    write: async (work) => store.write(work),
    clock: { now: () => new Date(now).toISOString(), today: () => '2026-03-01' },
    ids: { uuid: () => `id-${String((count += 1)).padStart(3, '0')}` },
    random: { bytes: (size) => new Uint8Array(size).fill((count += 1)) },
  })
})

describe('a session', () => {
  it('is whoever opened it, and only its hash is kept', async () => {
    const { secret, id, expiresAt } = await access.openSession(by, 'Firefox')
    expect(expiresAt).toBe('2026-03-01T20:00:00.000Z')
    expect(access.personOf('session', secret)).toEqual({ user: 'mara', id, expiresAt })
    expect(JSON.stringify([access.signIns(), store.audit])).not.toContain(secret)
    expect(access.personOf('session', `${secret}x`)).toBeNull()
    expect(access.personOf('token', secret)).toBeNull()
  })

  const ends: [string, () => unknown][] = [
    ['after an hour without a request', () => (now += 60 * minute)],
    ['when its person ends it', () => access.endSignIn(by, 'id-002')],
    ['when access.manage ends it', () => access.endSignIn({ ...by, actor: 'sec' }, 'id-002')],
    ['when the person is no longer active', () => store.putUser({ key: 'mara', active: false })],
    ['with a new password', () => access.setPassword(by, 'mara', 'correct horse')],
  ]
  it.each(ends)('ends %s', async (_, end) => {
    const { secret } = await access.openSession(by, '')
    expect(access.personOf('session', secret)).not.toBeNull()
    await end()
    expect(access.personOf('session', secret)).toBeNull()
  })

  it('lives on while it is used, and ends after twelve hours in any case', async () => {
    const { secret } = await access.openSession(by, '')
    for (let hour = 0; hour < 11.5; hour += 0.5) {
      now = start + hour * 60 * minute
      expect(access.personOf('session', secret), `after ${hour} h`).not.toBeNull()
      await new Promise(setImmediate)
    }
    now = start + 12 * 60 * minute
    expect(access.personOf('session', secret)).toBeNull()
  })

  it('outlives a new password where it is the one that set it', async () => {
    const [mine, other] = [await access.openSession(by, ''), await access.openSession(by, '')]
    await access.setPassword(by, 'mara', 'correct horse', mine.id)
    expect(access.personOf('session', mine.secret)).not.toBeNull()
    expect(access.personOf('session', other.secret)).toBeNull()
  })

  it('is not opened for somebody who is not active', async () => {
    store.putUser({ key: 'tom', active: false })
    await expect(access.openSession({ ...by, actor: 'tom' }, '')).rejects.toMatchObject({
      code: 'auth.invalid',
    })
  })

  it('is not ended by another person', async () => {
    const { id, secret } = await access.openSession(by, '')
    await expect(access.endSignIn({ ...by, actor: 'tom' }, id)).rejects.toMatchObject({
      code: 'access.denied',
    })
    expect(access.personOf('session', secret)).not.toBeNull()
    expect(await access.endSignIn(by, 'id-nil')).toBe(false)
  })
})

describe("a person's token", () => {
  it('lives an hour, or as long as was asked for, whether or not it is used', async () => {
    const usual = await access.mintToken(by, 'script')
    const long = await access.mintToken(by, 'pipeline', 30 * 24 * 60 * minute)
    now = start + 61 * minute
    expect(access.personOf('token', usual.secret)).toBeNull()
    now = start + 29 * 24 * 60 * minute
    expect(access.personOf('token', long.secret)).toMatchObject({ user: 'mara' })
    expect(access.personOf('session', long.secret)).toBeNull()
  })

  it('is listed with the sessions, of one person or of everybody, newest first and only while it lives', async () => {
    await access.openSession(by, 'Firefox')
    await access.mintToken({ ...by, actor: 'tom' }, 'script', 24 * 60 * minute)
    const told = (user?: string): string[] =>
      access.signIns(user).map(({ user, kind, label }) => `${user} ${kind} ${label}`)
    expect(told()).toEqual(['tom token script', 'mara session Firefox'])
    expect(told('mara')).toEqual(['mara session Firefox'])
    now = start + 2 * 60 * minute
    expect(told()).toEqual(['tom token script'])
  })
})
