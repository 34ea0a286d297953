// Clients whose user holds platform.root: marked where they are shown, and in the audit at the moment it becomes true.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ClientsView } from '#wire/clients.ts'
import { runningServer, type TestServer } from '../support/running-server.ts'

interface Row {
  component: string
  kind: string
  actor: string
  correlationId: string
  before: { runAs: string; permissionSets: string[] } | null
  after: { runAs: string; permissionSets: string[] } | null
}

let test: TestServer
beforeAll(async () => (test = await runningServer()))
afterAll(() => test.close())

const audited = async (): Promise<Row[]> => {
  const { body } = await test.studio<{ rows: Row[] }>('GET', '/metadata/v3/audit?limit=2000')
  return body.rows.filter(({ kind }) => kind.startsWith('client.root_')).reverse()
}
const isRoot = async (key: string): Promise<boolean | undefined> =>
  (await test.studio<ClientsView>('GET', '/setup/v3/clients')).body.clients.find((each) => each.key === key)
    ?.isRoot
const permissionSet = (key: string, systemPermissions: string[]): object => ({
  ...{ type: 'permission_set', key, label: key },
  body: { systemPermissions },
})
const client = (key: string, runAs: string, more: object = {}): object => ({
  ...{ type: 'integration_client', key, label: key, ...more },
  body: { authScheme: 'oauth2_client_credentials', runAs },
})
async function apply(...components: object[]): Promise<void> {
  const { status, text } = await test.studio('POST', '/metadata/v3/apply', { components })
  if (status !== 200) throw new Error(text)
}
type People = Record<'users' | 'groups', { key: string; version: string }[]>
async function principal(kind: keyof People, key: string): Promise<{ version: string }> {
  const { body } = await test.studio<People>('GET', '/setup/v3/users')
  return body[kind].find((each) => each.key === key)!
}
async function change(user: string, values: object): Promise<void> {
  const { version } = await principal('users', user)
  const { status, text } = await test.studio('PUT', `/setup/v3/users/${user}`, { version, ...values })
  if (status !== 200) throw new Error(text)
}

let number = 0
/** Names that no other test uses. */
let [bot, user, group, power] = ['', '', '', '']
beforeEach(async () => {
  number += 1
  ;[bot, user, group, power] = ['bot', 'user', 'group', 'power'].map((name) => `${name}_${number}`) as [
    string,
    string,
    string,
    string,
  ]
  await test.studio('POST', '/setup/v3/users', { key: user, name: user })
  await apply(permissionSet(power, []), client(bot, user))
})
/** Of this test. */
const rowsOf = async (): Promise<[kind: string, before: string | null, after: string | null][]> =>
  (await audited())
    .filter(({ component }) => component.startsWith(`client/${bot}`))
    .map(({ kind, before, after }) => [kind, before?.runAs ?? null, after?.runAs ?? null])

describe('a client whose user holds platform.root', () => {
  it('is marked, and audited with the set, the user and who did it, at its own apply', async () => {
    await apply(permissionSet(power, ['platform.root']))
    await test.studio('PUT', `/setup/v3/users/${user}/permission-sets`, { permissionSets: [power] })
    expect(await isRoot(bot)).toBe(true)
    const row = (await audited()).at(-1)!
    expect(row).toMatchObject({
      ...{ component: `client/${bot}`, kind: 'client.root_gained', actor: 'admin', before: null },
      after: { runAs: user, permissionSets: [power] },
    })
    await apply(client(`${bot}_2`, user))
    expect(await rowsOf()).toEqual([
      ['client.root_gained', null, user],
      ['client.root_gained', null, user],
    ])
    expect(await isRoot(`${bot}_2`)).toBe(true)
    expect(await isRoot('local')).toBe(false)
    const made = await test.studio<{ isRoot: boolean }>('POST', `/setup/v3/clients/${bot}/secrets`)
    expect(made.body.isRoot).toBe(true)
  })

  it('is audited when its permission set changes, and when that ends', async () => {
    await change(user, { permissionSets: [power] })
    expect(await rowsOf()).toEqual([])
    await apply(permissionSet(power, ['platform.root']))
    expect(await rowsOf()).toEqual([['client.root_gained', null, user]])
    await apply(permissionSet(power, ['audit.read']))
    expect(await rowsOf()).toEqual([
      ['client.root_gained', null, user],
      ['client.root_lost', user, null],
    ])
    expect(await isRoot(bot)).toBe(false)
  })

  it('is audited when its user joins a group, and when the group gets the set', async () => {
    await apply(permissionSet(power, ['platform.root']))
    const put = async (permissionSets: string[], version: string | null): Promise<void> => {
      const values = { name: group, permissionSets, version }
      const { status, text } = await test.studio('PUT', `/setup/v3/groups/${group}`, values)
      expect(status, text).toBe(200)
    }
    const versionNow = async (): Promise<string> => (await principal('groups', group)).version
    await put([power], null)
    await change(user, { groups: [group] })
    expect(await rowsOf()).toEqual([['client.root_gained', null, user]])
    await put([], await versionNow())
    await put([power], await versionNow())
    expect((await rowsOf()).map(([kind]) => kind)).toEqual([
      ...['client.root_gained', 'client.root_lost', 'client.root_gained'],
    ])
    const path = `/setup/v3/groups/${group}?version=${await versionNow()}`
    expect((await test.studio('DELETE', path)).status).toBe(200)
    expect((await rowsOf()).at(-1)).toEqual(['client.root_lost', user, null])
  })

  it('is audited when its user is deactivated, and active again', async () => {
    await apply(permissionSet(power, ['platform.root']))
    await change(user, { permissionSets: [power] })
    await change(user, { active: false })
    await change(user, { active: true })
    expect((await rowsOf()).map(([kind]) => kind)).toEqual([
      ...['client.root_gained', 'client.root_lost', 'client.root_gained'],
    ])
  })

  it('is audited when it runs as another user, and not when it or its set is renamed', async () => {
    await apply(permissionSet(power, ['platform.root']))
    await change(user, { permissionSets: [power] })
    const other = `${user}_2`
    await test.studio('POST', '/setup/v3/users', { key: other, name: other, permissionSets: [power] })
    await apply(client(bot, other))
    const before = await rowsOf()
    expect(before.at(-1)).toEqual(['client.root_gained', user, other])
    await apply(client(`${bot}_2`, other, { renamedFrom: bot }))
    await apply({ ...permissionSet(`${power}_2`, ['platform.root']), renamedFrom: power })
    expect(await rowsOf()).toEqual(before)
    expect(await isRoot(`${bot}_2`)).toBe(true)
  })

  it('is not audited by changes that leave it as it is', async () => {
    await apply(permissionSet(power, ['platform.root']))
    await change(user, { permissionSets: [power] })
    const before = await rowsOf()
    await change(user, { name: 'Another name' })
    await apply(client(`${bot}_3`, 'admin'))
    expect(await rowsOf()).toEqual(before)
  })
})
