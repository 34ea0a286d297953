// Users and groups over HTTP: added, changed, invited; what each can see and do, and why (docs/reference/access.md).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AccessReport, GroupView, InvitationView, PeopleView, UserView } from '#wire/people.ts'
import { operatorName } from '../../server/system/index.ts'
import { runningServer, type TestServer } from '../support/running-server.ts'

const by = { actor: 'admin', correlationId: 't', isOperator: true as const }
const password = 'correct horse battery'
let test: TestServer

const set = (key: string, grants: object) => ({
  type: 'config_set',
  key,
  label: key,
  body: { cardinality: 'singleton', scopes: ['org'], fields: [{ key: 'x', type: 'text' }], ...grants },
})
const permissionSet = (key: string, body: object) => ({ type: 'permission_set', key, label: key, body })

beforeAll(async () => {
  test = await runningServer()
  const components = [
    permissionSet('managers', { systemPermissions: ['access.manage'] }),
    permissionSet('authors', { systemPermissions: ['config.author'] }),
    permissionSet('readers', {}),
    set('open_rate', { read: { readers: 'read' }, edit: { authors: 'edit' } }),
    set('hidden_rate', {}),
  ]
  const applied = await test.studio('POST', '/metadata/v3/apply', { components })
  expect(applied.body).toMatchObject({ generation: 2 })
})
afterAll(() => test.close())

const people = async (): Promise<PeopleView> =>
  (await test.studio<PeopleView>('GET', '/setup/v3/users')).body as PeopleView
const user = async (key: string): Promise<UserView> =>
  (await people()).users.find((each) => each.key === key)!
const access = async (key: string): Promise<AccessReport> =>
  (await test.studio<AccessReport>('GET', `/setup/v3/users/${key}/access`)).body as AccessReport

describe('users', () => {
  it('are changed with a version, so the second of two edits is refused and names the first', async () => {
    const added = await test.studio<UserView>('POST', '/setup/v3/users', { key: 'mara', name: 'Mara' })
    expect(added.status).toBe(201)
    expect(added.body).toMatchObject({ password: 'none', active: true, lastSignIn: null })
    const { version } = added.body as UserView
    const first = await test.studio('PUT', '/setup/v3/users/mara', { version, name: 'Mara L.' })
    expect([first.status, first.body['name']]).toEqual([200, 'Mara L.'])
    const second = await test.studio('PUT', '/setup/v3/users/mara', { version, name: 'M.' })
    expect([second.status, second.body['code']]).toEqual([409, 'conflict.stale_principal'])
    expect(second.body['detail']).toContain('Mara L. was changed by Administrator')
    expect((await user('mara')).name).toBe('Mara L.')
  })

  it('are not changed by users without access.manage', async () => {
    const nob = test.bearer(
      (
        await test.beside(async ({ access: engine }) => {
          await engine.addUser(by, { key: 'nob', name: 'Nob', password })
          return engine.issuePersonToken({ actor: 'nob', correlationId: 't' }, 'token')
        })
      ).secret,
    )
    for (const [method, path, body] of [
      ['GET', '/setup/v3/users', undefined],
      ['POST', '/setup/v3/users', { key: 'eve', name: 'Eve' }],
      ['PUT', '/setup/v3/users/nob', { version: '', permissionSets: ['administrator'] }],
      ['PUT', '/setup/v3/users/admin/password', { password }],
      ['POST', '/setup/v3/users/admin/invitation', undefined],
      ['PUT', '/setup/v3/groups/all', { version: null, name: 'All', permissionSets: ['administrator'] }],
      ['GET', '/setup/v3/users/admin/access', undefined],
    ] as const) {
      const { status, body: refused } = await nob(method, path, body)
      expect([path, status, refused['code']]).toEqual([path, 403, 'access.denied'])
    }
    const own = await nob<AccessReport>('GET', '/setup/v3/users/nob/access')
    expect(own.status).toBe(200)
    // What the user cannot see is not named to them.
    expect((own.body as AccessReport).sets).toEqual([])
  })
})

describe('groups', () => {
  it('hold permission sets that each member holds immediately, until the membership ends', async () => {
    const group = await test.studio<GroupView>('PUT', '/setup/v3/groups/finance', {
      version: null,
      name: 'Finance',
      permissionSets: ['authors', 'readers'],
    })
    expect(group.status).toBe(200)
    const { version } = await user('mara')
    await test.studio('PUT', '/setup/v3/users/mara', {
      version,
      groups: ['finance'],
      permissionSets: ['readers'],
    })
    const report = await access('mara')
    expect(report.assignments).toMatchObject([
      { permissionSet: 'authors', direct: false, groups: ['finance'] },
      { permissionSet: 'readers', direct: true, groups: ['finance'] },
    ])
    expect(report.system.find(({ right }) => right === 'config.author')?.through).toEqual(['authors'])
    expect(report.sets).toMatchObject([
      { key: 'hidden_rate', sees: 'nothing', canEdit: false, missing: ['edit:hidden_rate'] },
      { key: 'open_rate', sees: 'values', canEdit: true, missing: [] },
    ])
    const out = await user('mara')
    await test.studio('PUT', '/setup/v3/users/mara', { version: out.version, groups: [], permissionSets: [] })
    expect((await access('mara')).sets).toMatchObject([{ sees: 'nothing' }, { sees: 'nothing' }])
  })

  it('follow a permission set that is renamed or removed', async () => {
    const groups = (await people()).groups
    expect(groups).toMatchObject([{ key: 'finance', permissionSets: ['authors', 'readers'] }])
    const removed = await test.studio('POST', '/metadata/v3/apply', {
      components: [set('open_rate', { edit: { authors: 'edit' } })],
      removals: ['permission_set/readers'],
    })
    expect(removed.status).toBe(200)
    expect((await people()).groups).toMatchObject([{ key: 'finance', permissionSets: ['authors'] }])
  })

  it('cannot be changed so that no user manages access', async () => {
    await test.studio('PUT', '/setup/v3/groups/bosses', {
      version: null,
      name: 'Bosses',
      permissionSets: ['managers'],
    })
    const admin = await user('admin')
    const moved = await test.studio('PUT', '/setup/v3/users/admin', {
      version: admin.version,
      groups: ['bosses'],
      permissionSets: ['authors'],
    })
    expect(moved.status).toBe(200)
    const bosses = (await people()).groups.find(({ key }) => key === 'bosses')!
    const refused = await test.studio('PUT', '/setup/v3/groups/bosses', {
      version: bosses.version,
      name: 'Bosses',
      permissionSets: [],
    })
    expect([refused.status, refused.body['code']]).toEqual([422, 'request.invalid'])
    expect(refused.body['detail']).toContain('no active user would hold access.manage')
    const { version } = await user('admin')
    const back = await test.studio('PUT', '/setup/v3/users/admin', { version, active: false })
    expect(back.status).toBe(422)
    await test.studio('PUT', '/setup/v3/users/admin', {
      version,
      groups: [],
      permissionSets: ['administrator'],
    })
  })
})

describe('a deleted group', () => {
  const add = (key: string, permissionSets: string[]) =>
    test.studio<GroupView>('PUT', `/setup/v3/groups/${key}`, { version: null, name: key, permissionSets })
  const remove = (key: string, version: string) =>
    test.studio('DELETE', `/setup/v3/groups/${key}?version=${version}`)

  it('leaves its members the permissions that they hold without it, and is in the audit with each of them', async () => {
    const { version } = (await add('doomed', ['authors'])).body as GroupView
    await test.beside((engines) =>
      engines.access.addUser(by, {
        key: 'gil',
        name: 'Gil',
        groups: ['doomed'],
        permissionSets: ['managers'],
      }),
    )
    expect((await remove('doomed', 'other')).body['code']).toBe('conflict.stale_principal')
    const removed = await remove('doomed', version)
    expect([removed.status, removed.body]).toEqual([200, { members: ['gil'] }])
    expect(await user('gil')).toMatchObject({ groups: [], permissionSets: ['managers'] })
    expect((await access('gil')).assignments.map(({ permissionSet }) => permissionSet)).toEqual(['managers'])
    expect((await remove('doomed', version)).body['code']).toBe('group.not_found')
    const auditOf = async (component: string) =>
      (await test.studio<{ rows: object[] }>('GET', `/metadata/v3/audit?component=${component}`)).body.rows
    expect((await auditOf('group/doomed'))[0]).toMatchObject({
      ...{ kind: 'group.removed', before: { permissionSets: ['authors'] }, after: null },
    })
    expect((await auditOf('user/gil'))[0]).toMatchObject({
      ...{ kind: 'user.changed', before: { groups: ['doomed'] }, after: { groups: [] } },
    })
  })

  it('is not deleted if no user could change permissions afterwards, and nothing is half done', async () => {
    const { version } = (await add('last', ['managers'])).body as GroupView
    await test.beside(async ({ access: engine }) => {
      await engine.changeUser(by, 'admin', { groups: ['last'], permissionSets: [] })
      for (const each of (await people()).users)
        if (each.key !== 'admin') await engine.changeUser(by, each.key, { permissionSets: [], groups: [] })
    })
    const refused = await remove('last', version)
    expect([refused.status, refused.body['code']]).toEqual([422, 'request.invalid'])
    expect(refused.body['detail']).toContain('no active user would hold access.manage')
    expect((await user('admin')).groups).toEqual(['last'])
    await test.beside((engines) =>
      engines.access.changeUser(by, 'admin', { groups: [], permissionSets: ['administrator'] }),
    )
    expect((await remove('last', version)).status).toBe(200)
  })
})

describe('a one-time link and its creator', () => {
  const accept = (secret: string) => test.plain('POST', '/session/invitation', { secret, password })
  const openLinks = async () =>
    (await test.studio<{ invitations: { user: string }[] }>('GET', '/setup/v3/invitations')).body.invitations
  const inviteBy = async (actor: string, operator = false): Promise<string> =>
    (
      await test.beside((engines) =>
        engines.access.invite({ actor, correlationId: 't', isOperator: operator }, 'guest'),
      )
    ).secret
  const change = (key: string, edit: object) =>
    test.beside((engines) => engines.access.changeUser(by, key, edit))
  beforeAll(async () => {
    await test.beside(async ({ access: engine }) => {
      await engine.addUser(by, { key: 'guest', name: 'Guest' })
      await engine.addUser(by, { key: 'maker', name: 'Maker', permissionSets: ['managers'] })
    })
  })

  it('is listed without its secret, and works only while the creator can invite', async () => {
    const secret = await inviteBy('maker')
    const listed = await openLinks()
    expect(listed).toMatchObject([{ user: 'guest', madeBy: 'maker', madeByName: 'Maker' }])
    expect(JSON.stringify(listed)).not.toContain(secret)
    await change('maker', { permissionSets: [] })
    expect(await openLinks()).toEqual([])
    expect((await user('guest')).invitation).toBeNull()
    const refused = await accept(secret)
    expect([refused.status, refused.body['code']]).toEqual([401, 'auth.invalid'])
    expect(refused.body['detail']).toContain('creator of this link can no longer invite users')
    expect((await user('guest')).password).toBe('none')
  })

  it('does not work again if its creator was deactivated in the meantime', async () => {
    await change('maker', { permissionSets: ['managers'] })
    const secret = await inviteBy('maker')
    await change('maker', { active: false })
    await change('maker', { active: true })
    expect((await accept(secret)).status).toBe(401)
  })

  it('is revoked, which is in the audit, and then does not exist', async () => {
    const secret = await inviteBy('maker')
    const withdraw = () => test.studio('DELETE', '/setup/v3/users/guest/invitation')
    expect((await withdraw()).status).toBe(204)
    expect((await accept(secret)).status).toBe(401)
    expect((await withdraw()).body['code']).toBe('invitation.not_found')
    const { rows } = (
      await test.studio<{ rows: object[] }>('GET', '/metadata/v3/audit?kind=user.invitation_withdrawn')
    ).body
    expect(rows).toMatchObject([{ component: 'user/guest', actor: 'admin', before: { madeBy: 'maker' } }])
  })

  it("needs no permissions of its creator if it was created on the org's folder", async () => {
    const secret = await inviteBy('maker', true)
    await change('maker', { permissionSets: [] })
    expect((await accept(secret)).status).toBe(200)
    expect(await openLinks()).toEqual([])
  })
})

describe('a one-time link', () => {
  const accept = (secret: string, chosen = password) =>
    test.plain('POST', '/session/invitation', { secret, password: chosen })

  it('sets a password once, and ends with a later one and with the user', async () => {
    const invite = async (): Promise<string> =>
      ((await test.studio<InvitationView>('POST', '/setup/v3/users/mara/invitation')).body as InvitationView)
        .secret
    const first = await invite()
    const second = await invite()
    expect((await accept(first)).status).toBe(401)
    expect((await user('mara')).invitation).toMatchObject({ madeBy: 'admin', operator: operatorName() })
    expect((await accept(second, 'short')).status).toBe(422)
    const both = await Promise.all([accept(second), accept(second)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
    expect(await user('mara')).toMatchObject({ password: 'set', invitation: null })
    expect((await user('mara')).lastSignIn).not.toBeNull()
    const third = await invite()
    const { version } = await user('mara')
    await test.studio('PUT', '/setup/v3/users/mara', { version, active: false })
    expect((await accept(third)).status).toBe(401)
    const audit = await test.studio<{ rows: { kind: string }[] }>(
      'GET',
      '/metadata/v3/audit?component=user/mara&limit=50',
    )
    const kinds = audit.body.rows.map(({ kind }) => kind)
    for (const kind of ['user.added', 'user.changed', 'user.invited', 'user.password_set'])
      expect(kinds).toContain(kind)
    expect(JSON.stringify(audit.body)).not.toContain(second)
  })
})
