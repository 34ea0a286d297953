// References between rows of a source and stored records, formulas over rows, and sources that do not filter.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ObjectDescription, QueryReply, RecordJson } from '../../../server/wire/records.ts'
import { startFaultySource, type FaultySource } from '../../conformance/odata/faulty-source.ts'
import { apply } from '../../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../../support/running-server.ts'
import { virtualComponent, virtualOrg, type VirtualUser } from '../../support/virtual-org.ts'

let source: FaultySource
let test: TestServer
let users: Record<VirtualUser, Ask>
let seller: Ask
let parcel: string

const fields = [
  { key: 'name', type: 'text', remoteField: 'Name' },
  { key: 'amount', type: 'number', precision: 12, scale: 2, remoteField: 'Amount' },
  { key: 'parcel', type: 'reference', references: 'parcel', remoteField: 'City' },
  { key: 'before', type: 'reference', references: 'sales_order', remoteField: 'Batch' },
  { key: 'packed', type: 'text', formula: { expression: 'parcel.code + "!"' } },
  { key: 'share', type: 'number', precision: 12, scale: 2, formula: { expression: '100 / amount' } },
  {
    ...{ key: 'rich', type: 'boolean' },
    formula: { expression: 'amount > config.limits.credit' },
  },
]

beforeAll(async () => {
  source = await startFaultySource()
  test = await runningServer()
  users = await virtualOrg(test, { url: source.url, fields })
  seller = users.seller
  const added = await seller<RecordJson>('POST', '/data/v3/parcel', { code: 'P-1' })
  parcel = added.body.id
})
afterAll(async () => {
  await test.close()
  await source.close()
})
beforeEach(() => {
  source.faults = {}
  source.requests = []
  source.rows = [
    { Id: '1', Name: 'first', Amount: 50, City: parcel, Batch: null },
    { Id: '2', Name: 'second', Amount: 0, City: 'no record', Batch: '1' },
    { Id: '3', Name: 'third', Amount: 10, City: null, Batch: 'gone' },
  ]
})

const query = async (names: readonly string[], ask = seller): Promise<QueryReply> =>
  (await ask<QueryReply>('POST', '/data/v3/query', { object: 'sales_order', fields: names })).body

it('a row shows fields of the stored record that it refers to', async () => {
  const { records } = await query(['name', 'parcel', 'parcel.code', 'packed'])
  expect(records.map(({ fields: shown }) => [shown['parcel.code'], shown['packed']])).toEqual([
    ['P-1', 'P-1!'],
    [null, null],
    [null, null],
  ])
})

it('a row shows fields of another row of a source, and names one that does not exist', async () => {
  const { records, warnings } = await query(['name', 'before.name', 'before.share'])
  expect(records.map(({ fields: shown }) => shown['before.name'])).toEqual([null, 'first', null])
  expect(records[1]!.fields['before.share']).toBe('2.00')
  expect(records[2]!.errors).toEqual({
    'before.name': 'record.not_found',
    'before.share': 'record.not_found',
  })
  expect(warnings).toEqual([])
})

it.each(['before.parcel.code', 'before.before.name'])(
  'a path does not lead through a row: %s',
  async (path) => {
    const refused = await seller('POST', '/data/v3/query', { object: 'sales_order', fields: [path] })
    expect([refused.status, refused.body['code']]).toEqual([422, 'request.invalid'])
    expect(refused.body['detail']).toContain('a path cannot lead through it')
  },
)

it('a formula is evaluated after the fetch, and one that fails is null with its code', async () => {
  const { records } = await query(['share', 'rich'])
  expect(records.map(({ fields: shown, errors }) => [shown['share'], shown['rich'], errors])).toEqual([
    ['2.00', true, undefined],
    [null, false, { share: 'expression.evaluation' }],
    ['10.00', false, undefined],
  ])
})

it('the deadline of a list includes what its rows refer to', async () => {
  source.faults = { before: () => new Promise((resolve) => setTimeout(resolve, 1600)) }
  const began = performance.now()
  const { records, warnings } = await query(['name', 'before.name'])
  expect(performance.now() - began).toBeLessThan(3900)
  expect(records.map(({ errors }) => errors)).toEqual([
    undefined,
    { 'before.name': 'limit.list_incomplete' },
    { 'before.name': 'limit.list_incomplete' },
  ])
  expect(warnings).toMatchObject([{ code: 'limit.list_incomplete' }])
})

describe('with a source that does not filter', () => {
  beforeAll(async () => {
    await apply(test.studio, [
      virtualComponent('erp', { url: source.url, source: { pushdown: { sort: true } } }),
      virtualComponent('sales_order', { url: source.url, fields }),
    ])
  })

  it('references are read one by one, each once', async () => {
    const { records } = await query(['before.name'])
    expect(records.map(({ fields: shown }) => shown['before.name'])).toEqual([null, 'first', null])
    expect(source.requests.map(({ url }) => decodeURIComponent(url.pathname)).sort()).toEqual([
      '/service/Orders',
      "/service/Orders('1')",
      "/service/Orders('gone')",
    ])
  })

  it.each([
    ['POST', '/data/v3/query', { object: 'sales_order', fields: ['name'], filter: 'name == "first"' }],
    ['POST', '/data/v3/sales_order/search', { text: 'first', fields: ['name'] }],
  ])('filters and searches are refused with the reason', async (method, path, body) => {
    const refused = await seller(method, path, body)
    expect([refused.status, refused.body['code']]).toEqual([422, 'expression.invalid'])
    expect(refused.body['detail']).toContain('"pushdown.filter" is false')
    expect(source.requests).toEqual([])
  })

  it('a search without a word lists all rows', async () => {
    const { body } = await seller<QueryReply>('POST', '/data/v3/sales_order/search', {
      text: '',
      fields: ['name'],
    })
    expect(body.records).toHaveLength(3)
  })
})

describe('list views and layouts', () => {
  beforeAll(async () => {
    await apply(test.studio, [
      virtualComponent('erp', { url: source.url }),
      {
        ...{ type: 'list_view', key: 'large', label: 'Large' },
        body: {
          ...{ object: 'sales_order', columns: ['name', 'parcel.code', 'before'], filter: 'amount > 20' },
          orderBy: [{ field: 'amount', dir: 'desc' }],
        },
      },
      {
        ...{ type: 'layout', key: 'parcel_page', label: 'Parcel' },
        body: {
          object: 'parcel',
          sections: [
            {
              ...{ id: 'main', section: 'Main', columns: 1 },
              items: [
                { id: 'name', type: 'field', key: 'order.name' },
                {
                  id: 'list',
                  type: 'component',
                  key: 'list_view',
                  inputs: { listView: 'large', via: 'parcel' },
                },
              ],
            },
          ],
        },
      },
    ])
  })

  it('are described as the caller can read them', async () => {
    const described = (ask: Ask, object: string) =>
      ask<ObjectDescription>('GET', `/data/v3/${object}/describe`)
    expect((await described(seller, 'sales_order')).body.listViews).toMatchObject([
      { key: 'large', columns: ['name', 'parcel.code', 'before'], filter: 'amount > 20' },
    ])
    expect((await described(users.clerk, 'sales_order')).body.listViews).toEqual([])
    const [layout] = (await described(seller, 'parcel')).body.layouts
    expect(layout!.sections[0]!.items.map(({ key }) => key)).toEqual(['order.name', 'list_view'])
    const [hidden] = (await described(users.clerk, 'parcel')).body.layouts
    expect(hidden!.sections[0]!.items.map(({ key }) => key)).toEqual(['order.name'])
  })

  it('are queries with the filter and the reference', async () => {
    const { body } = await seller<QueryReply>('POST', '/data/v3/query', {
      ...{ object: 'sales_order', fields: ['name', 'parcel.code'] },
      filter: `(amount > 20) && (parcel == "${parcel}")`,
    })
    expect(body.records.map(({ fields: shown }) => shown)).toEqual([{ name: 'first', 'parcel.code': 'P-1' }])
  })
})
