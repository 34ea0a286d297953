// What a source does wrong, as a caller sees it: pages that end early, move or have wrong values, and rows of other owners.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { QueryReply, RecordJson } from '../../../server/wire/records.ts'
import { startFaultySource, type FaultySource } from '../../conformance/odata/faulty-source.ts'
import { apply } from '../../support/billing-org.ts'
import { runningServer, type Answer, type Ask, type TestServer } from '../../support/running-server.ts'
import { virtualComponent, virtualOrg, type VirtualUser } from '../../support/virtual-org.ts'

let source: FaultySource
let test: TestServer
let users: Record<VirtualUser, Ask>
let seller: Ask
let clerk: Ask

const options = { source: { listViewDeadlineMs: 2500 } }
const rows = () =>
  Array.from({ length: 10 }, (_, at) => ({
    ...{ Id: `A-${at}`, Name: at % 3 === 0 ? 'clerk' : 'seller', City: 'Graz', Amount: at * 10 },
    ...{ Placed: '2026-01-01', Open: true, Status: 'Sent', Version: 1, Pieces: at },
  }))

beforeAll(async () => {
  source = await startFaultySource()
  test = await runningServer()
  users = await virtualOrg(test, { url: source.url, ...options })
  seller = users.seller
  clerk = users.clerk
  // The first call opens the vault, which is not what the deadlines here are about.
  await query(seller)
})
afterAll(async () => {
  await test.close()
  await source.close()
})
beforeEach(() => {
  source.rows = rows()
  source.faults = {}
  source.requests = []
})

const query = (ask: Ask, more: object = {}): Promise<Answer<QueryReply>> =>
  ask<QueryReply>('POST', '/data/v3/query', { object: 'sales_order', fields: ['name', 'amount'], ...more })
const codes = ({ body }: Answer<QueryReply>): string[] => body.warnings!.map(({ code }) => code)
const ids = ({ body }: Answer<QueryReply>): string[] => body.records.map(({ id }) => id)

describe('a page', () => {
  it('has the rows that arrived before the deadline, a warning, and a cursor to continue', async () => {
    source.faults = {
      before: (page) => (page < 2 ? undefined : new Promise((resolve) => setTimeout(resolve, 5000))),
    }
    const found = await query(seller)
    expect([found.status, ids(found).length, codes(found)]).toEqual([200, 8, ['limit.list_incomplete']])
    expect(found.body.warnings![0]).toMatchObject({ class: 'limit', status: 503, retriable: true })
    source.faults = {}
    const rest = await query(seller, { cursor: found.body.nextCursor })
    expect([...ids(found), ...ids(rest)]).toEqual(rows().map(({ Id }) => Id))
  })

  it('ends at the deadline if the source trickles without end', async () => {
    source.faults = { before: () => new Promise(() => undefined) }
    const began = performance.now()
    const found = await query(seller)
    expect([found.status, ids(found), codes(found)]).toEqual([200, [], ['limit.list_incomplete']])
    expect(performance.now() - began).toBeLessThan(6000)
  })

  it('has the rows before a response that dies', async () => {
    source.faults = { diesAfter: 40, diesOnPage: 1 }
    const found = await query(seller)
    expect([found.status, ids(found).length]).toEqual([200, 4])
    expect(codes(found)).toEqual(['integration.connection_lost'])
    expect(found.text).not.toContain(source.url)
  })

  it('fails if the first response dies', async () => {
    source.faults = { diesAfter: 40 }
    const failed = await query(seller)
    expect([failed.status, failed.body['class' as never]]).toEqual([502, 'integration'])
    expect(failed.text).not.toContain(source.url)
  })

  it('shows a row once that comes twice, and reports it', async () => {
    source.faults = {
      list: (payload, page) =>
        page === 1 ? { ...payload, value: [payload.value[0], ...payload.value] } : payload,
    }
    const found = await query(seller)
    expect(new Set(ids(found)).size).toBe(ids(found).length)
    expect(codes(found)).toContain('integration.page_unstable')
  })

  it('has only rows that pass the filter, if the source ignores it', async () => {
    source.faults = { ignores: ['$filter'] }
    const found = await query(seller, { filter: 'pieces >= 8', countTo: 100 })
    expect(ids(found)).toEqual(['A-8', 'A-9'])
    expect(codes(found)).toEqual(['integration.source_ignored'])
    expect(found.body).not.toHaveProperty('totalEstimate')
  })

  it('shows values of a different type as absent, and names only fields that the caller can read', async () => {
    source.rows[0]!['Amount'] = 'many'
    source.rows[1]!['Pieces'] = 'few'
    const fields = ['name', 'amount', 'pieces']
    const shown = await query(seller, { limit: 2, fields })
    expect(shown.body.records[0]).toMatchObject({
      fields: { amount: null },
      errors: { amount: 'integration.wrong_type' },
    })
    expect(JSON.stringify(shown.body.warnings)).toContain('amount is a text, not a number')
    expect(shown.text).not.toContain('many')
    const hidden = await query(clerk, { limit: 2, fields })
    expect(hidden.body.records[0]).not.toHaveProperty('errors')
    expect(JSON.stringify(hidden.body.warnings)).not.toContain('amount')
    expect(JSON.stringify(hidden.body.warnings)).toContain('pieces')
    const single = await clerk<RecordJson>('GET', '/data/v3/sales_order/A-0')
    expect(single.body).not.toHaveProperty('errors')
  })

  it('asks only for the fields that it shows, filters or sorts by, and reports no others', async () => {
    for (const row of source.rows) row['Amount'] = 'many'
    const found = await query(seller, {
      ...{ fields: ['name'], filter: 'pieces >= 8', orderBy: [{ field: 'placed', dir: 'desc' }] },
    })
    expect([ids(found), codes(found)]).toEqual([['A-8', 'A-9'], []])
    expect(source.requests[0]!.url.searchParams.get('$select')!.split(',').sort()).toEqual([
      ...['Id', 'Name', 'Pieces', 'Placed'],
    ])
    // A formula can read any field.
    await query(seller, { fields: ['double'], limit: 1 })
    expect(source.requests.at(-1)!.url.searchParams.get('$select')).toContain('Amount')
  })
})

describe('a call that cannot be made', () => {
  it('is an error of the request, in words without the URL', async () => {
    source.faults = { status: { code: 401 } }
    const refused = await query(seller)
    expect([refused.status, refused.body['code' as never]]).toEqual([502, 'integration.sign_in'])
    expect(refused.text).not.toContain(source.url)
  })

  it('by a user without a grant is denied', async () => {
    await apply(test.studio, [
      {
        ...{ type: 'external_credential', key: 'erp_key', label: 'Key' },
        body: {
          ...{ scheme: 'api_key', name: 'X-Key' },
          principals: [{ key: 'service', mode: 'named', grantedTo: ['seller', 'clerk', 'auditor'] }],
        },
      },
    ])
    const denied = await query(users.reader)
    expect([denied.status, denied.body['code' as never]]).toEqual([403, 'access.denied'])
    expect(source.requests).toEqual([])
  })

  it('adds a row at most once: an outcome that is not known is reported as such', async () => {
    const insert = () => seller('POST', '/data/v3/sales_order', { id_text: 'N', name: 'seller' })
    source.faults = { dropsWrites: true }
    const unknown = await insert()
    expect([unknown.status, unknown.body['code']]).toEqual([502, 'integration.outcome_unknown'])
    expect(unknown.body['retriable']).toBe(false)
    expect(source.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
    source.faults = {}
    expect((await insert()).body['code']).toBe('conflict.exists')
    // A gateway does not know what is behind it.
    source.faults = { status: { code: 504 } }
    expect((await insert()).body['code']).toBe('integration.outcome_unknown')
    source.faults = { status: { code: 500 } }
    expect((await insert()).body['code']).toBe('integration.remote_failed')
    source.faults = {}
  })
})

describe('with an owner column', () => {
  beforeAll(async () => {
    await apply(test.studio, [
      virtualComponent('sales_order', { url: source.url, object: { ownerColumn: 'Name' } }),
    ])
  })
  const read = (ask: Ask, id: string) => ask<RecordJson>('GET', `/data/v3/sales_order/${id}`)
  const patch = async (ask: Ask, id: string, fields: object): Promise<Answer> => {
    const { body } = await read(seller, id)
    return ask('PATCH', `/data/v3/sales_order/${id}`, fields, { 'if-match': `"${body.version}"` })
  }

  it('a user sees their own rows, and the source is asked for them', async () => {
    const found = await query(clerk, { fields: ['name'] })
    expect(ids(found)).toEqual(['A-0', 'A-3', 'A-6', 'A-9'])
    expect(source.requests[0]!.url.searchParams.get('$filter')).toBe("Name eq 'clerk'")
    expect((await read(clerk, 'A-3')).status).toBe(200)
    const other = await read(clerk, 'A-1')
    expect([other.status, other.body['code' as never]]).toEqual([404, 'record.not_found'])
  })

  it('rows of others are left out if the source returns them, and reported', async () => {
    source.faults = { ignores: ['$filter'] }
    const found = await query(clerk, { fields: ['name'], countTo: 100 })
    expect(ids(found)).toEqual(['A-0', 'A-3', 'A-6', 'A-9'])
    expect(codes(found)).toEqual(['integration.source_ignored'])
    expect(found.body).not.toHaveProperty('totalEstimate')
  })

  it('a user changes their own rows; viewAll and modifyAll see, and modifyAll changes, all of them', async () => {
    expect((await patch(clerk, 'A-3', { pieces: '5' })).status).toBe(200)
    for (const refused of [
      await patch(clerk, 'A-1', { pieces: '5' }),
      await clerk('DELETE', '/data/v3/sales_order/A-1'),
    ])
      expect([refused.status, refused.body['code']]).toEqual([404, 'record.not_found'])
    expect((await patch(seller, 'A-3', { pieces: '6' })).status).toBe(200)
    expect(ids(await query(users.auditor, { fields: ['name'] }))).toHaveLength(10)
    for (const denied of [
      await patch(users.auditor, 'A-3', { pieces: '7' }),
      await users.auditor('DELETE', '/data/v3/sales_order/A-3'),
    ])
      expect([denied.status, denied.body['code']]).toEqual([403, 'access.denied'])
    const added = await clerk('POST', '/data/v3/sales_order', { id_text: 'N' })
    expect(added.status).toBe(201)
    expect(source.rows.at(-1)).toMatchObject({ Name: 'clerk' })
  })

  it('a row is not added for a different owner, and not for the caller in their place', async () => {
    const add = (id: string, name?: string) =>
      users.clerk('POST', '/data/v3/sales_order', { id_text: id, ...(name !== undefined && { name }) })
    const refused = await add('N-1', 'somebody')
    expect([refused.status, refused.body['code']]).toEqual([422, 'record.invalid'])
    expect(refused.body['detail']).toContain('clerk')
    for (const [id, name] of [
      ['N-2', 'clerk'],
      ['N-3', undefined],
    ] as const)
      expect((await add(id, name)).body['fields']).toMatchObject({ name: 'clerk' })
  })

  it('a reference to a row of another owner is not followed', async () => {
    const { body } = await clerk<RecordJson>('POST', '/data/v3/parcel', { code: 'P', order: 'A-1' })
    const read = await clerk<RecordJson>('GET', `/data/v3/parcel/${body.id}?fields=order.name`)
    expect(read.body).toMatchObject({
      fields: { 'order.name': null },
      errors: { 'order.name': 'record.not_found' },
    })
  })
})
