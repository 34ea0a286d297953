// The services behind virtual objects, as authors see them: entity sets, drafts of objects, a first page, and who sees what.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RecordJson } from '../../../server/wire/records.ts'
import type {
  EntitySetList,
  EntitySetRows,
  EntitySetView,
  VirtualObjectFacts,
} from '../../../server/wire/virtual.ts'
import { startFaultySource, type FaultySource } from '../../conformance/odata/faulty-source.ts'
import { startPeer } from '../../conformance/odata/peer.ts'
import { apply, signIn } from '../../support/billing-org.ts'
import { runningServer, type TestServer } from '../../support/running-server.ts'
import { virtualComponent, virtualOrg, type VirtualUser } from '../../support/virtual-org.ts'
import type { Ask } from '../../support/running-server.ts'

let source: FaultySource
let test: TestServer
let users: Record<VirtualUser, Ask>

beforeAll(async () => {
  source = await startFaultySource([
    { Id: 'a', Name: 'Ada', Amount: 12.5, Placed: '2026-01-01', Status: 'Sent' },
  ])
  test = await runningServer()
  users = await virtualOrg(test, { url: source.url })
})
afterAll(async () => {
  await test.close()
  await source.close()
})
beforeEach(() => {
  source.faults = {}
})

const path = '/setup/v3/data-sources/erp/entity-sets'

describe('the entity sets of a source', () => {
  it('are listed with the reason why one cannot be an object', async () => {
    const { status, body } = await test.studio<EntitySetList>('GET', path)
    expect(status).toBe(200)
    expect(body.entitySets).toMatchObject([
      {
        name: 'Orders',
        type: 'Sales.Order',
        key: ['Id'],
        properties: 6,
        refusal: null,
        objects: ['sales_order'],
      },
      { name: 'Pairs', refusal: expect.stringContaining('2 properties') as string, objects: [] },
    ])
  })

  it('have a draft that can be applied, and a first page', async () => {
    const { body } = await test.studio<EntitySetView>('GET', `${path}/Orders`)
    expect(body.details.map(({ name, field, note }) => [name, field, note !== null])).toEqual([
      ['Id', 'id', false],
      ['Name', 'name', false],
      ['Amount', 'amount', false],
      ['Placed', 'placed', false],
      ['Status', 'status', false],
      ['Tags', null, true],
    ])
    const { object, valueSets } = body.draft!
    expect(object.key).not.toBe('sales_order')
    await apply(test.studio, [object, ...valueSets])
    const rows = await test.studio<EntitySetRows>('GET', `${path}/Orders/rows`)
    expect(rows.body).toMatchObject({
      fields: [{ key: 'id' }, { key: 'name' }, { key: 'amount' }, { key: 'placed' }, { key: 'status' }],
      rows: [{ id: 'a', values: ['a', 'Ada', '12.50', '2026-01-01', 'Sent'] }],
      ...{ hasMore: false, warnings: [] },
    })
  })

  it.each([
    [{ metadata: '<!DOCTYPE x [<!ENTITY a "b">]><x/>' }, 422, 'virtual.metadata'],
    [{ metadata: '<not-metadata/>' }, 422, 'virtual.metadata'],
    [{ status: { code: 503 } }, 502, 'integration.remote_failed'],
  ])('are refused with the reason: %j', async (faults, status, code) => {
    source.faults = faults
    const refused = await test.studio('GET', path)
    expect([refused.status, refused.body['code']]).toEqual([status, code])
    expect(refused.text).not.toContain(source.url)
  })

  it('of an unknown source or with an unknown name do not exist', async () => {
    for (const [unknown, suggestion] of [
      ['/setup/v3/data-sources/erb/entity-sets', 'erp'],
      [`${path}/Order`, 'Orders'],
      [`${path}/Order/rows`, 'Orders'],
    ]) {
      const { status, body } = await test.studio('GET', unknown!)
      expect([status, body['code']]).toEqual([404, 'component.not_found'])
      expect(body['detail']).toContain(suggestion)
    }
    const pairs = await test.studio('GET', `${path}/Pairs/rows`)
    expect([pairs.status, pairs.body['code']]).toEqual([422, 'virtual.metadata'])
  })

  it('are only for authors', async () => {
    for (const each of [
      path,
      `${path}/Orders`,
      `${path}/Orders/rows`,
      '/setup/v3/virtual-objects/sales_order',
    ])
      expect((await users.seller('GET', each)).status).toBe(403)
  })

  it('are not for an author of entries, who would see rows and fields that no object shows them', async () => {
    const set = { systemPermissions: ['config.author'] }
    await apply(test.studio, [{ type: 'permission_set', key: 'entries', label: 'Entries', body: set }])
    const { editor } = await signIn(test, [{ key: 'editor', permissionSets: ['entries', 'clerk'] }])
    for (const below of ['', '/Orders', '/Orders/rows'])
      expect((await editor!('GET', `${path}${below}`)).status).toBe(403)
  })

  it('are read from a public server', async () => {
    const peer = await startPeer([])
    try {
      await apply(test.studio, [
        { ...virtualComponent('erp_api', { url: peer.url }), key: 'peer_api' },
        {
          ...virtualComponent('erp', { url: peer.url }),
          ...{ key: 'peer', body: { adapter: 'odata_v4', namedCredential: 'peer_api' } },
        },
      ])
      const { body } = await test.studio<EntitySetList>('GET', '/setup/v3/data-sources/peer/entity-sets')
      expect(body.entitySets).toMatchObject([{ name: 'Orders', key: ['Id'] }])
    } finally {
      await peer.close()
    }
  })
})

describe('the Setup page of a virtual object', () => {
  const facts = (object: string) =>
    test.studio<VirtualObjectFacts>('GET', `/setup/v3/virtual-objects/${object}`)

  it('shows what decides about rows, and recommends an ingest for a slow source', async () => {
    const before = await facts('sales_order')
    expect(before.body).toMatchObject({
      ...{ dataSource: 'erp', rowAccess: 'object_permission', ownerColumn: null, recommendsIngest: false },
    })
    source.faults = { before: () => new Promise((resolve) => setTimeout(resolve, 450)) }
    for (let call = 0; call < 3; call++)
      await users.seller<RecordJson>('POST', '/data/v3/query', { object: 'sales_order', fields: ['name'] })
    const { body } = await facts('sales_order')
    expect(body.calls).toBe(before.body.calls + 3)
    expect(body.p95Ms).toBeGreaterThan(400)
    expect(body.recommendsIngest).toBe(true)
    expect((await facts('parcel')).status).toBe(404)
  })

  it('does not claim a time before a call was measured', async () => {
    await apply(test.studio, [
      {
        ...{ type: 'external_data_source', key: 'unused', label: 'Unused' },
        body: { adapter: 'odata_v4', namedCredential: 'erp_api', pushdown: { filter: true } },
      },
      {
        ...{ type: 'object', key: 'unused_order', label: 'Unused' },
        body: {
          ...{ storage: 'external', dataSource: 'unused', remoteEntity: 'Orders', externalId: 'Id' },
          ...{ ownerColumn: 'Name', fields: [{ key: 'name', type: 'text', remoteField: 'Name' }] },
        },
      },
    ])
    expect((await facts('unused_order')).body).toMatchObject({
      ...{ rowAccess: 'owner_column', ownerColumn: 'Name', calls: 0, p95Ms: null, recommendsIngest: false },
    })
  })
})
