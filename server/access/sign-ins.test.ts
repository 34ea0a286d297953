import { beforeEach, describe, expect, it } from 'vitest'
import { buildComponent } from '../../test/support/metadata.ts'
import { MemoryOrgStore } from '../../test/support/memory-org-store.ts'
import { createAccess, effectiveAccess, type Access, type EffectiveAccess } from './index.ts'

const start = Date.parse('2026-03-01T08:00:00.000Z')
const minute = 60_000
const by = { actor: 'mara', correlationId: 'c1' }

let store: MemoryOrgStore
let access: Access
let now: number
let count: number

beforeEach(() => {
  now = start
  store = new MemoryOrgStore()
  store.addGeneration([
    buildComponent('permission_set', 'security', { systemPermissions: ['access.manage'] }),
  ])
  store.putUser({ key: 'mara' })
  store.putUser({ key: 'tom' })
  store.putUser({ key: 'sec', permissionSets: ['security'] })
  count = 0
  access = createOver(store)
})

/** Access as one start of a server creates it. */
function createOver(over: MemoryOrgStore): Access {
  return createAccess({
    store: over,
    write: async (work) => over.write(work),
    clock: { now: () => new Date(now).toISOString(), today: () => '2026-03-01' },
    ids: { uuid: () => `id-${String((count += 1)).padStart(3, '0')}` },
    random: { bytes: (size) => new Uint8Array(size).fill((count += 1)) },
  })
}

function accessOf(user: string): EffectiveAccess {
  return store.read((reader) =>
    effectiveAccess(reader, user, reader.generations.view(reader.generations.active())),
  )
}

describe('is not opened for an inactive user', () => {
  it('belongs to the user who opened it, and only its hash is stored', async () => {
    const { secret, id, expiresAt } = await access.openSession(by, 'Firefox')
    expect(expiresAt).toBe('2026-03-08T08:00:00.000Z')
    expect(access.findActiveSignIn('session', secret)).toEqual({
      ...{ user: 'mara', id, expiresAt },
      ...{ operator: null, isLinkSession: false, validUntil: start + minute },
    })
    expect(JSON.stringify([access.signIns(accessOf('sec'), null), store.audit])).not.toContain(secret)
    expect(access.findActiveSignIn('session', `${secret}x`)).toBeNull()
    expect(access.findActiveSignIn('token', secret)).toBeNull()
  })

  const ends: [string, () => unknown][] = [
    ['after twelve hours without a request', () => (now += 12 * 60 * minute)],
    ['when its person ends it', () => access.endSignIn(by, 'id-003')],
    ['when access.manage ends it', () => access.endSignIn({ ...by, actor: 'sec' }, 'id-003')],
    ['when the person is no longer active', () => store.putUser({ key: 'mara', active: false })],
    ['with a new password', () => access.setPassword(by, 'mara', 'correct horse')],
  ]
  it.each(ends)('ends %s', async (_, end) => {
    const { secret } = await access.openSession(by, '')
    expect(access.findActiveSignIn('session', secret)).not.toBeNull()
    await end()
    expect(access.findActiveSignIn('session', secret)).toBeNull()
  })

  it('lasts while it is used, and ends after seven days in any case', async () => {
    const { secret } = await access.openSession(by, '')
    for (let hour = 0; hour < 7 * 24; hour += 11) {
      now = start + hour * 60 * minute
      expect(access.findActiveSignIn('session', secret), `after ${hour} h`).not.toBeNull()
      await new Promise(setImmediate)
    }
    now = start + 7 * 24 * 60 * minute
    expect(access.findActiveSignIn('session', secret)).toBeNull()
  })

  it('survives a new password if that session set it', async () => {
    const [mine, other] = [await access.openSession(by, ''), await access.openSession(by, '')]
    await access.setPassword(by, 'mara', 'correct horse', mine.id)
    expect(access.findActiveSignIn('session', mine.secret)).not.toBeNull()
    expect(access.findActiveSignIn('session', other.secret)).toBeNull()
  })

  it('is not opened for an inactive user', async () => {
    store.putUser({ key: 'tom', active: false })
    await expect(access.openSession({ ...by, actor: 'tom' }, '')).rejects.toMatchObject({
      code: 'auth.invalid',
    })
  })

  it('is not ended by another user', async () => {
    const { id, secret } = await access.openSession(by, '')
    await expect(access.endSignIn({ ...by, actor: 'tom' }, id)).rejects.toMatchObject({
      code: 'access.denied',
    })
    expect(access.findActiveSignIn('session', secret)).not.toBeNull()
    expect(await access.endSignIn(by, 'id-nil')).toBe(false)
  })
})

describe('all sign-ins of a user', () => {
  it('are ended by the user or with access.manage, of one kind or of both, and of no other user', async () => {
    const open = async () => ({
      session: await access.openSession(by, 'Firefox'),
      token: await access.issuePersonToken(by, 'script'),
    })
    const tom = await access.openSession({ ...by, actor: 'tom' }, '')
    const first = await open()
    expect(await access.endSignInsOf(by, 'mara', 'session')).toBe(1)
    expect(access.findActiveSignIn('session', first.session.secret)).toBeNull()
    expect(access.findActiveSignIn('token', first.token.secret)).not.toBeNull()
    const second = await open()
    expect(await access.endSignInsOf({ ...by, actor: 'sec' }, 'mara')).toBe(3)
    expect(access.findActiveSignIn('session', second.session.secret)).toBeNull()
    expect(access.findActiveSignIn('token', first.token.secret)).toBeNull()
    expect(access.findActiveSignIn('session', tom.secret)).not.toBeNull()
    expect(store.audit.filter(({ kind }) => kind === 'sign_in.ended')).toHaveLength(4)
    await expect(access.endSignInsOf(by, 'tom')).rejects.toMatchObject({ code: 'access.denied' })
    await expect(access.endSignInsOf({ ...by, actor: 'sec' }, 'nil')).rejects.toMatchObject({
      code: 'user.not_found',
    })
  })
})

describe('a session of the one-time link', () => {
  const operator = { ...by, operatorName: 'ulla' }

  it('names its operator, expires like any other and ends with this start of the server', async () => {
    const { secret } = await access.openLinkSession(operator, '')
    expect(access.findActiveSignIn('session', secret)).toMatchObject({
      operator: 'ulla',
      isLinkSession: true,
    })
    const idle = await access.openLinkSession(operator, '')
    now += 12 * 60 * minute
    expect(access.findActiveSignIn('session', idle.secret)).toBeNull()
    const last = await access.openLinkSession(operator, '')
    expect(createOver(store).findActiveSignIn('session', last.secret)).toBeNull()
    await access.endLinkSessions()
    expect(access.findActiveSignIn('session', last.secret)).toBeNull()
  })

  it('passes its operator on to the tokens that are created in it', async () => {
    const { secret } = await access.issuePersonToken(operator, 'script')
    expect(access.findActiveSignIn('token', secret)).toMatchObject({ user: 'mara', operator: 'ulla' })
  })
})

describe("a user's token", () => {
  it('lasts an hour, or the requested time, whether or not it is used', async () => {
    const usual = await access.issuePersonToken(by, 'script')
    const long = await access.issuePersonToken(by, 'pipeline', 30 * 24 * 60 * minute)
    now = start + 61 * minute
    expect(access.findActiveSignIn('token', usual.secret)).toBeNull()
    now = start + 29 * 24 * 60 * minute
    expect(access.findActiveSignIn('token', long.secret)).toMatchObject({ user: 'mara' })
    expect(access.findActiveSignIn('session', long.secret)).toBeNull()
  })

  it('is listed with the sessions, of one user or of all users, newest first and only while it is valid', async () => {
    await access.openSession(by, 'Firefox')
    await access.issuePersonToken({ ...by, actor: 'tom' }, 'script', 24 * 60 * minute)
    const describeSignIns = (user: string | null = null): string[] =>
      access.signIns(accessOf('sec'), user).map(({ user, kind, label }) => `${user} ${kind} ${label}`)
    expect(describeSignIns()).toEqual(['tom token script', 'mara session Firefox'])
    expect(describeSignIns('mara')).toEqual(['mara session Firefox'])
    expect(access.signIns(accessOf('mara'), 'mara')).toHaveLength(1)
    for (const others of ['tom', null])
      expect(() => access.signIns(accessOf('mara'), others)).toThrow(
        expect.objectContaining({ code: 'access.denied' }),
      )
    now = start + 13 * 60 * minute
    expect(describeSignIns()).toEqual(['tom token script'])
  })
})
