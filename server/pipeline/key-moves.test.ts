// Data outside the components that is bound to a key follows the key and ends with it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOf, type Engines } from '../compose/engines.ts'
import { initOrg, type OpenedOrg } from '../compose/open-org.ts'

let folder: string
let org: OpenedOrg
let engines: Engines

const by = { actor: 'admin', correlationId: 't', isOperator: true as const }
const rights = (key: string, ...systemPermissions: string[]) => ({
  type: 'permission_set',
  key,
  label: key,
  body: { systemPermissions },
})
const client = (key: string, runAs = 'admin') => ({
  type: 'integration_client',
  key,
  label: key,
  body: { authScheme: 'oauth2_client_credentials', runAs },
})
const apply = (components: unknown[], ...removals: string[]) =>
  org.apply({
    source: { kind: 'components', components, removals: removals as never[] },
    actor: 'admin',
    correlationId: 'moved',
  })
const renamed = (component: object, renamedFrom: string) => ({ ...component, renamedFrom })
const held = (key: string) => org.store.read((reader) => reader.people.user(key)!.permissionSets)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'almanac-moves-'))
  org = initOrg(folder, { name: 'T', environment: 'dev' })
  engines = enginesOf(org)
})
afterEach(async () => {
  await org.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('the permission sets of a user', () => {
  beforeEach(async () => {
    await apply([rights('clerks', 'config.author')])
    await engines.access.addUser(by, { key: 'mara', name: 'Mara', permissionSets: ['clerks'] })
  })

  it('follow a rename in the same transaction, and back again by a rollback', async () => {
    await apply([renamed(rights('authors', 'config.author'), 'clerks')])
    expect(held('mara')).toEqual(['authors'])
    const [row] = org.store.read((reader) => reader.audit.list({ component: 'user/mara', limit: 1 }))
    expect(row).toMatchObject({
      kind: 'user.changed',
      actor: 'admin',
      correlationId: 'moved',
      before: { permissionSets: ['clerks'] },
      after: { permissionSets: ['authors'] },
    })
    await org.rollback(2, { actor: 'admin' })
    expect(held('mara')).toEqual(['clerks'])
  })

  it('are not revived in a new set with the same key', async () => {
    await apply([], 'permission_set/clerks')
    expect(held('mara')).toEqual([])
    await apply([rights('clerks', 'access.manage')])
    expect(held('mara')).toEqual([])
  })

  it('belong to another set if a rollback returns the key to the one that was renamed', async () => {
    await apply([renamed(rights('authors', 'config.author'), 'clerks')])
    await apply([rights('clerks', 'audit.read')])
    await engines.access.addUser(by, { key: 'zoe', name: 'Zoe', permissionSets: ['clerks'] })
    await org.rollback(2, { actor: 'admin' })
    expect([held('mara'), held('zoe')]).toEqual([['clerks'], []])
    await org.rollback(4, { actor: 'admin' })
    expect([held('mara'), held('zoe')]).toEqual([['authors'], []])
  })

  it('are never lost by a rename that is refused', async () => {
    const changes = [
      renamed(rights('authors', 'config.author'), 'clerks'),
      rights('administrator', 'audit.read'),
    ]
    await expect(apply(changes)).rejects.toThrow()
    expect(held('mara')).toEqual(['clerks'])
  })
})

describe('the proof of a client', () => {
  let secret: string
  let token: string
  beforeEach(async () => {
    await apply([client('shop')])
    secret = (await engines.clientSecrets.issueSecret(by, 'shop')).clientSecret
    token = (await engines.access.issueToken(by, 'shop')).token
  })

  it('follows a rename', async () => {
    await apply([renamed(client('store'), 'shop')])
    expect(engines.clientSecrets.isValidSecret('store', secret)).toBe(true)
    expect(engines.clientSecrets.isValidSecret('shop', secret)).toBe(false)
    expect(engines.access.authenticateToken(token)).toMatchObject({
      client: 'store',
      user: 'admin',
      operator: null,
    })
    // A new client under the old key is a different client.
    await apply([client('shop')])
    expect(engines.clientSecrets.isValidSecret('shop', secret)).toBe(false)
    expect(engines.access.authenticateToken(token)).toMatchObject({ client: 'store' })
  })

  it('ends when it is removed', async () => {
    await apply([], 'integration_client/shop')
    await apply([client('shop')])
    expect(engines.clientSecrets.isValidSecret('shop', secret)).toBe(false)
    expect(() => engines.access.authenticateToken(token)).toThrow(/unknown or has expired/)
  })
})
