// Rows of a virtual object through the data API: read, queried, searched, added, changed and deleted, over a source that has
// ETags and pages.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ObjectDescription, QueryReply, RecordJson } from '../../../server/wire/records.ts'
import { etagOf, startFaultySource, type FaultySource } from '../../conformance/odata/faulty-source.ts'
import { runningServer, type Answer, type Ask, type TestServer } from '../../support/running-server.ts'
import { virtualOrg, type VirtualUser } from '../../support/virtual-org.ts'

let source: FaultySource
let test: TestServer
let users: Record<VirtualUser, Ask>
let seller: Ask
let clerk: Ask

beforeAll(async () => {
  source = await startFaultySource()
  test = await runningServer()
  users = await virtualOrg(test, { url: source.url })
  seller = users.seller
  clerk = users.clerk
})
afterAll(async () => {
  await test.close()
  await source.close()
})
beforeEach(() => {
  source.rows = Array.from({ length: 10 }, (_, at) => ({
    ...{ Id: `A/${at}`, Name: `Order ${at}`, City: at % 2 === 0 ? 'Graz' : 'Wien', Amount: at * 10 },
    ...{ Placed: '2026-01-01', Open: at > 4, Status: 'Sent', Version: 1, Pieces: at },
  }))
  source.faults = {}
  source.requests = []
})

const at = (id: string): string => `/data/v3/sales_order/${encodeURIComponent(id)}`
const query = (ask: Ask, more: object = {}): Promise<Answer<QueryReply>> =>
  ask<QueryReply>('POST', '/data/v3/query', { object: 'sales_order', fields: ['name', 'amount'], ...more })
const names = ({ body }: Answer<QueryReply>): unknown[] => body.records.map(({ fields }) => fields['name'])

describe('a row', () => {
  it('is read by the text of its external id, with a version that does not show its values', async () => {
    const { status, body, headers } = await seller<RecordJson>('GET', at('A/3'))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...{ id: 'A/3', object: 'sales_order' },
      fields: { name: 'Order 3', amount: '30.00', double: '60.00', status: 'Sent', placed: '2026-01-01' },
    })
    expect(headers.get('etag')).toBe(`"${body.version}"`)
    const etag = etagOf(source.rows[3]!).replace(/^W\/"|"$/g, '')
    expect(String(body.version)).not.toContain(etag.slice(0, 12))
    expect((await seller<RecordJson>('GET', at('A/3'))).body.version).toBe(body.version)
    expect(source.requests[0]!.headers['x-key']).toBe('marked-key')
  })

  it('has null in fields that the caller cannot read, also as a formula', async () => {
    const { body } = await clerk<RecordJson>('GET', at('A/3'))
    expect(body.fields).toMatchObject({ name: 'Order 3', amount: null, city: null, double: null })
  })

  it('that does not exist is not found, and one of a hidden object does not exist', async () => {
    const missing = await seller('GET', at('nothing'))
    expect([missing.status, missing.body['code']]).toEqual([404, 'record.not_found'])
    const hidden = await users.stranger('GET', at('A/3'))
    expect([hidden.status, hidden.body['code']]).toEqual([404, 'object.not_found'])
  })

  it('has no history and no stored values', async () => {
    for (const path of ['/history', '/values/amount', '/values/double/evidence']) {
      const { status, body } = await seller('GET', at('A/3') + path)
      expect([status, body['code']]).toEqual([422, 'virtual.not_stored'])
    }
  })
})

describe('a query', () => {
  it('is filtered and sorted by the source, page by page', async () => {
    const terms = {
      filter: 'amount >= config.limits.credit && open',
      orderBy: [{ field: 'amount', dir: 'desc' }],
    }
    const first = await query(seller, { ...terms, limit: 3 })
    expect([first.status, names(first)]).toEqual([200, ['Order 9', 'Order 8', 'Order 7']])
    expect(first.body.warnings).toEqual([])
    expect(source.requests[0]!.url.searchParams.get('$filter')).toContain('Amount ge 20')
    const second = await query(seller, { ...terms, limit: 3, cursor: first.body.nextCursor })
    expect(names(second)).toEqual(['Order 6', 'Order 5'])
    expect(second.body.nextCursor).toBeNull()
    const other = await query(seller, { limit: 3, cursor: first.body.nextCursor })
    expect([other.status, other.body['code' as never]]).toEqual([400, 'request.malformed'])
    const plain = await query(seller, { limit: 3 })
    const ofAnother = await query(clerk, { limit: 3, cursor: plain.body.nextCursor })
    expect([ofAnother.status, ofAnother.body['code' as never]]).toEqual([400, 'request.malformed'])
  })

  it('counts if the source does', async () => {
    const { body } = await query(seller, { limit: 1, countTo: 8, filter: 'pieces > 0' })
    expect(body.totalEstimate).toBe(8)
    expect((await query(seller, { limit: 1, countTo: 100 })).body.totalEstimate).toBe(10)
  })

  it.each([
    [{ filter: 'amount > 1' }, 422, 'expression.invalid'],
    [{ filter: 'nothing > 1' }, 422, 'expression.invalid'],
    [{ orderBy: [{ field: 'amount' }] }, 422, 'request.invalid'],
    [{ orderBy: [{ field: 'nothing' }] }, 422, 'request.invalid'],
  ])('does not filter or sort by a field that the caller cannot read: %j', async (terms, status, code) => {
    const refused = await query(clerk, { fields: ['name'], ...terms })
    expect([refused.status, refused.body['code' as never]]).toEqual([status, code])
    expect(source.requests).toEqual([])
  })

  it.each([
    [{ filter: 'name.matches("^A")' }, 'regular expressions'],
    [{ filter: 'round(amount, 2) == 1.5' }, 'rounds halves differently'],
    [{ filter: 'double > 1' }, 'the formula double'],
    [{ orderBy: [{ field: 'double' }] }, 'a formula that is computed here'],
  ])('that the source cannot apply is refused with the reason: %j', async (terms, reason) => {
    const refused = await query(seller, terms)
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(refused.text).toContain(reason)
    expect(source.requests).toEqual([])
  })

  it('shows names of hidden fields as null', async () => {
    const { body } = await query(clerk, { fields: ['name', 'amount', 'double'], limit: 1 })
    expect(body.records[0]!.fields).toEqual({ name: 'Order 0', amount: null, double: null })
  })

  it('is noted as a use by a client', async () => {
    await query(seller, { limit: 1 })
    await expect
      .poll(async () => (await test.studio('GET', '/setup/v3/clients/seller/uses')).text)
      .toContain('"field":"amount"')
  })
})

describe('a search', () => {
  const search = (ask: Ask, body: object): Promise<Answer<QueryReply>> =>
    ask<QueryReply>('POST', '/data/v3/sales_order/search', { fields: ['name'], ...body })

  it('finds rows by words that occur, in upper or lower case', async () => {
    const found = await search(seller, { text: 'ORDER 7' })
    expect([found.status, names(found)]).toEqual([200, ['Order 7']])
    expect(names(await search(seller, { text: 'wien', matchFields: ['city'], limit: 2 }))).toHaveLength(2)
  })

  it('does not search what the caller cannot read', async () => {
    const refused = await search(clerk, { text: 'wien', matchFields: ['city'] })
    expect([refused.status, refused.body['code' as never]]).toEqual([422, 'request.invalid'])
  })
})

describe('what can be done', () => {
  it('is in the description of the object', async () => {
    const { body } = await seller<ObjectDescription>('GET', '/data/v3/sales_order/describe')
    expect(body).toMatchObject({
      nameField: 'name',
      remote: { dataSource: 'erp', writable: true, filters: true, sorts: true, counts: true },
    })
    const editable = Object.fromEntries(body.fields.map((field) => [field.key, field.editable]))
    expect(editable).toMatchObject({ name: true, version_no: false, double: false })
    const { body: list } = await seller<{ objects: { key: string }[] }>('GET', '/data/v3')
    expect(list.objects.map(({ key }) => key)).toContain('sales_order')
  })

  it('is in OpenAPI, without batches and with versions as texts', async () => {
    const { body } = await seller<{
      paths: Record<string, object>
      components: { schemas: Record<string, { properties: { version?: object } }> }
    }>('GET', '/openapi.json')
    expect(body.paths).toHaveProperty('/data/v3/sales_order/{id}.patch')
    expect(body.paths).not.toHaveProperty('/data/v3/sales_order/batch')
    expect(body.components.schemas['Record_sales_order']!.properties.version).toMatchObject({
      type: ['string', 'null'],
    })
  })
})

describe('a change', () => {
  const read = async (id: string): Promise<RecordJson> => (await seller<RecordJson>('GET', at(id))).body
  const patch = (ask: Ask, id: string, version: unknown, fields: object): Promise<Answer> =>
    ask('PATCH', at(id), fields, { 'if-match': `"${version as string}"` })

  it('names the version that it replaces', async () => {
    const { version } = await read('A/2')
    const changed = await patch(seller, 'A/2', version, { amount: '7.5', name: 'New' })
    expect([changed.status, changed.body['fields']]).toMatchObject([200, { amount: '7.50', name: 'New' }])
    expect(source.rows[2]).toMatchObject({ Amount: '7.50', Name: 'New' })
    expect(changed.headers.get('etag')).toBe(`"${changed.body['version'] as string}"`)
    const stale = await patch(seller, 'A/2', version, { amount: '8' })
    expect([stale.status, stale.body['code']]).toEqual([412, 'conflict.stale_version'])
    const again = await patch(seller, 'A/2', changed.body['version'], { amount: '8' })
    expect(again.status).toBe(200)
  })

  it('does not change the key of a row', async () => {
    const { version } = await read('A/2')
    const moved = await patch(seller, 'A/2', version, { id_text: 'Z/9', name: 'y' })
    expect([moved.status, moved.text]).toEqual([422, expect.stringContaining('identifies the row')])
    expect(source.rows.some(({ Id }) => Id === 'Z/9')).toBe(false)
    // The key that it has is not sent: sources refuse it.
    expect((await patch(seller, 'A/2', version, { id_text: 'A/2', name: 'z' })).status).toBe(200)
    expect(source.requests.at(-1)!.body).toBe('{"Name":"z"}')
  })

  it('without a version is refused, and * takes the one of now', async () => {
    expect((await seller('PATCH', at('A/2'), { name: 'x' })).status).toBe(428)
    expect((await seller('PATCH', at('A/2'), { name: 'x' }, { 'if-match': '*' })).status).toBe(200)
    const { version } = await read('A/1')
    for (const wrong of ['3', 'x'.repeat(40), version])
      expect((await patch(seller, 'A/2', wrong, { name: 'y' })).body['code']).toBe('conflict.stale_version')
  })

  it('adds and deletes rows', async () => {
    const added = await seller<RecordJson>('POST', '/data/v3/sales_order', {
      id_text: 'N/1',
      name: 'N',
      amount: '1',
    })
    expect([added.status, added.headers.get('location')]).toEqual([201, '/data/v3/sales_order/N%2F1'])
    expect(added.body).toMatchObject({ id: 'N/1', fields: { name: 'N', amount: '1.00' } })
    const again = await seller('POST', '/data/v3/sales_order', { id_text: 'N/1' })
    expect([again.status, again.body['code']]).toEqual([409, 'conflict.exists'])
    const gone = await seller('DELETE', at('N/1'), undefined, { 'if-match': `"${added.body.version}"` })
    expect(gone.status).toBe(204)
    expect(source.rows).toHaveLength(10)
  })

  it('is noted as a use by a client', async () => {
    await seller('POST', '/data/v3/sales_order', { id_text: 'U/1', weight: '1' })
    await expect
      .poll(async () => (await test.studio('GET', '/setup/v3/clients/seller/uses')).text)
      .toContain('"field":"weight"')
  })

  it.each([
    ['pieces', '2147483648', 'from -2147483648 to 2147483647'],
    ['pieces', '-2147483649', 'from -2147483648 to 2147483647'],
  ])('with %s %s is refused, with the range of its type', async (field, value, range) => {
    const refused = await seller('POST', '/data/v3/sales_order', { id_text: 'R/1', [field]: value })
    expect([refused.status, refused.body['code']]).toEqual([422, 'record.invalid'])
    expect(JSON.stringify(refused.body['details'])).toContain(range)
    expect(source.rows.some((row) => JSON.stringify(row).includes('R/1'))).toBe(false)
  })

  it('is refused with every problem, before anything is sent', async () => {
    const refused = await seller('POST', '/data/v3/sales_order', {
      ...{ amount: 'x', nothing: 1, double: '1', version_no: '2', status: 'Gone' },
    })
    expect([refused.status, refused.body['code']]).toEqual([422, 'record.invalid'])
    const details = refused.body['details'] as { field: string; code: string }[]
    expect(details.map(({ field, code }) => `${field} ${code}`)).toEqual([
      'amount record.value',
      'nothing record.unknown_field',
      'double record.computed_field',
      'version_no record.computed_field',
      'status record.value',
    ])
    const hidden = await clerk('POST', '/data/v3/sales_order', { amount: '1' })
    expect(hidden.body['details']).toMatchObject([{ field: 'amount', code: 'record.unknown_field' }])
    expect(source.requests).toEqual([])
  })

  it('needs the right on the object', async () => {
    const { version } = await read('A/2')
    for (const refused of [
      await users.reader('POST', '/data/v3/sales_order', { name: 'x' }),
      await patch(users.reader, 'A/2', version, { name: 'x' }),
      await users.reader('DELETE', at('A/2')),
    ])
      expect([refused.status, refused.body['code']]).toEqual([403, 'access.denied'])
  })

  it('is never part of a batch', async () => {
    const batch = await seller<{ results: { status: number; error: { code: string } }[] }>(
      'POST',
      '/data/v3/batch',
      {
        records: [{ op: 'insert', object: 'sales_order', fields: { name: 'x' } }],
      },
    )
    expect(batch.body.results).toMatchObject([{ status: 422, error: { code: 'virtual.not_stored' } }])
    const keyed = await seller('POST', '/data/v3/sales_order', { name: 'x' }, { 'idempotency-key': 'k1' })
    expect([keyed.status, keyed.body['code']]).toEqual([422, 'request.invalid'])
    expect(source.requests).toEqual([])
  })
})

describe('a reference of a stored record', () => {
  const parcel = async (order: string): Promise<string> => {
    const added = await seller<RecordJson>('POST', '/data/v3/parcel', { code: `P-${order}`, order })
    expect(added.status).toBe(201)
    return added.body.id
  }

  it('takes the external id, and is checked when it is followed', async () => {
    const [known, lost] = [await parcel('A/1'), await parcel('gone')]
    const fields = 'fields=code,order,order.name,order.double'
    const { body } = await seller<RecordJson>('GET', `/data/v3/parcel/${known}?${fields}`)
    expect(body.fields).toEqual({
      code: 'P-A/1',
      order: 'A/1',
      'order.name': 'Order 1',
      'order.double': '20.00',
    })
    const dangling = await seller<RecordJson>('GET', `/data/v3/parcel/${lost}?fields=order,order.name`)
    expect(dangling.body).toMatchObject({
      fields: { order: 'gone', 'order.name': null },
      errors: { 'order.name': 'record.not_found' },
    })
    const found = await seller<QueryReply>('POST', '/data/v3/query', {
      ...{ object: 'parcel', fields: ['code', 'order.name', 'order.amount'], orderBy: [{ field: 'code' }] },
    })
    expect(found.body.records.map((record) => record.fields['order.name'])).toEqual(['Order 1', null])
    expect(
      (await clerk<RecordJson>('GET', `/data/v3/parcel/${known}?fields=order.amount`)).body.fields,
    ).toEqual({
      'order.amount': null,
    })
    const named = await seller<{ names: { name: string | null }[] }>('POST', '/setup/v3/record-names', {
      records: [
        { object: 'sales_order', id: 'A/1' },
        { object: 'sales_order', id: 'gone' },
        { object: 'parcel', id: known },
      ],
    })
    expect(named.body.names.map(({ name }) => name)).toEqual(['Order 1', null, 'P-A/1'])
  })

  it('reads null with the reason if the source fails, and the stored values remain', async () => {
    const id = await parcel('A/2')
    source.faults = { status: { code: 503 } }
    const { status, body } = await seller<RecordJson>('GET', `/data/v3/parcel/${id}?fields=code,order.name`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      fields: { code: 'P-A/2', 'order.name': null },
      errors: { 'order.name': 'integration.remote_failed' },
    })
    const found = await seller<QueryReply>('POST', '/data/v3/query', {
      object: 'parcel',
      fields: ['order.name'],
    })
    expect(found.body.warnings).toMatchObject([{ code: 'integration.remote_failed', status: 502 }])
    expect(found.text).not.toContain(source.url)
  })
})
