// Rows are read and changed one by one; ETags keep the changes of other clients.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fixtureObject, fixtureView, type FixtureOptions } from '../../../server/virtual/fixture.ts'
import {
  createODataSource,
  deleteRecord,
  insertRecord,
  loadMetadata,
  readRecord,
  updateRecord,
  type ODataSource,
  type RemoteResponse,
  type RowRequest,
} from '../../../server/virtual/index.ts'
import { etagOf, startFaultySource, type FaultySource } from './faulty-source.ts'
import { httpCall } from './http-call.ts'
import { startPeer } from './peer.ts'

let faulty: FaultySource
let source: ODataSource

beforeAll(async () => {
  faulty = await startFaultySource()
})
beforeEach(() => {
  faulty.rows = [
    { Id: 'a', Name: 'Ada', Amount: 1, Version: 3 },
    { Id: "o'b/c", Name: 'Bob', Amount: 2, Version: 1 },
  ]
  faulty.faults = {}
  faulty.requests = []
  source = createODataSource(faulty.url, httpCall(faulty.url))
})
afterAll(() => faulty.close())

const requestOf = (options: FixtureOptions = {}, owner: string | null = null): RowRequest => {
  const view = fixtureView({ ...options, object: { writable: true, ...options.object } })
  return { object: fixtureObject(view), view, owner, signal: new AbortController().signal }
}
const request = requestOf()
const values = (of: Record<string, string | boolean | null>) => new Map(Object.entries(of))
const change = (version: string, of = values({ amount: '5.50', open: true, name: null }), id = 'a') =>
  updateRecord(source, request, { id, version, values: of })

describe('a row', () => {
  it('is read by its key, which is encoded, with its ETag as the version', async () => {
    const row = await readRecord(source, request, "o'b/c")
    expect(row).toMatchObject({ id: "o'b/c", version: etagOf(faulty.rows[1]!) })
    expect(row.fields.get('amount')).toBe('2.00')
    expect(faulty.requests[0]!.url.pathname).toBe("/service/Orders('o''b%2Fc')")
  })

  it.each(['nobody', '', '\ud800'])('that does not exist is not found: %j', async (id) => {
    await expect(readRecord(source, request, id)).rejects.toMatchObject({ code: 'record.not_found' })
  })

  it('of a different owner does not exist', async () => {
    const own = requestOf({ object: { ownerColumn: 'Name' } }, 'Ada')
    expect((await readRecord(source, own, 'a')).id).toBe('a')
    const other = { id: "o'b/c", version: etagOf(faulty.rows[1]!) }
    for (const work of [
      () => readRecord(source, own, other.id),
      () => updateRecord(source, own, { ...other, values: values({ amount: '1' }) }),
      () => deleteRecord(source, own, other),
    ])
      await expect(work()).rejects.toMatchObject({ code: 'record.not_found' })
    expect(faulty.rows).toHaveLength(2)
  })

  it('of a number or GUID key is read by that literal', async () => {
    const paths: string[] = []
    const call = ({ path }: { path: string }) => {
      paths.push(decodeURIComponent(path))
      return Promise.resolve({ status: 404, headers: {}, text: '' })
    }
    for (const [remoteType, id] of [
      ['Edm.Int64', '42'],
      ['Edm.Int64', '042'],
      ['Edm.Guid', '0f8fad5b-d9cb-469f-a165-70867728950e'],
      ['Edm.Guid', 'x'],
    ]) {
      const typed = requestOf({ fields: [{ key: 'id_text', type: 'text', remoteField: 'Id', remoteType }] })
      await readRecord(createODataSource(faulty.url, call), typed, id!).catch(() => undefined)
    }
    expect(paths).toEqual(['/Orders(42)', '/Orders(0f8fad5b-d9cb-469f-a165-70867728950e)'])
  })
})

describe('an update', () => {
  it.each([true, false])(
    'sends only what changed, with If-Match; without the row in the response: %s',
    async (isMinimal) => {
      faulty.faults = { isMinimal }
      const before = etagOf(faulty.rows[0]!)
      const row = await change(before)
      const patch = faulty.requests.find(({ method }) => method === 'PATCH')!
      expect(JSON.parse(patch.body)).toEqual({ Amount: '5.50', Open: true, Name: null })
      expect(patch.headers['if-match']).toBe(before)
      expect(row.fields.get('amount')).toBe('5.50')
      expect(row.version).toBe(etagOf(faulty.rows[0]!))
      expect(row.version).not.toBe(before)
    },
  )

  it('of a row that has changed since is stale', async () => {
    const before = etagOf(faulty.rows[0]!)
    faulty.rows[0]!['Amount'] = 9
    await expect(change(before)).rejects.toMatchObject({ code: 'conflict.stale_version' })
    expect(faulty.rows[0]!['Amount']).toBe(9)
  })

  it.each(['1', '*', '"a\r\nX: y"', 'W/"a" , "b"'])(
    'with the version %j is stale and not sent',
    async (version) => {
      await expect(change(version)).rejects.toMatchObject({ code: 'conflict.stale_version' })
      expect(faulty.requests).toEqual([])
    },
  )

  it.each([
    [404, 'record.not_found'],
    [410, 'record.not_found'],
    [409, 'conflict.source'],
    [428, 'conflict.source'],
    [400, 'integration.refused'],
  ])('that gets the status %i', async (code, expected) => {
    faulty.faults = { status: { code, body: '{"error":{"message":"Because"}}' } }
    const failed = change('"1"')
    await expect(failed).rejects.toMatchObject({ code: expected })
    if (expected !== 'record.not_found') await expect(failed).rejects.toThrow('Because')
  })

  it('does not send fields that the source sets or that are computed', async () => {
    for (const field of ['version_no', 'double', 'nothing'])
      await expect(change('"1"', values({ [field]: '1' }))).rejects.toMatchObject({
        code: 'virtual.not_writable',
      })
    expect(faulty.requests).toEqual([])
  })

  it('sends numbers of small types as numbers, and exact ones as texts', async () => {
    await change(etagOf(faulty.rows[0]!), values({ pieces: '7', weight: '1.500', amount: '1.10' }))
    expect(JSON.parse(faulty.requests[0]!.body)).toEqual({ Pieces: 7, Weight: 1.5, Amount: '1.10' })
  })
})

describe('an insert', () => {
  const added = values({ id_text: 'n 1', name: 'New', amount: '3.00' })

  it.each([true, false])('returns the new row; without the row in the response: %s', async (isMinimal) => {
    faulty.faults = { isMinimal }
    const row = await insertRecord(source, request, added)
    expect(row).toMatchObject({ id: 'n 1', version: etagOf(faulty.rows[2]!) })
  })

  it('of an existing key is a conflict', async () => {
    const failed = insertRecord(source, request, values({ id_text: 'a' }))
    await expect(failed).rejects.toMatchObject({ code: 'conflict.exists' })
    await expect(failed).rejects.toThrow('Exists, The order exists')
    await expect(failed).rejects.not.toThrow('secret of the service')
  })

  it('belongs to its author', async () => {
    const own = requestOf({ object: { ownerColumn: 'Name' } }, 'Ada')
    await insertRecord(source, own, added)
    expect(faulty.rows[2]).toMatchObject({ Name: 'Ada' })
  })

  it.each<[string, Omit<RemoteResponse, 'status'> & { status?: number }]>([
    ['with a body that is not JSON', { headers: {}, text: '<html>' }],
    ['without the key', { headers: {}, text: '{"Name":"New"}' }],
    ['with a link to elsewhere', { headers: { location: "http://inside/Orders('n')" }, text: '' }],
    ['with a link to a row that cannot be read', { headers: { location: "Orders('gone')" }, text: '' }],
  ])('whose row cannot be shown reports that it was added: %s', async (_, response) => {
    const real = httpCall(faulty.url)
    const sent = createODataSource(faulty.url, (each, signal) =>
      each.method === 'POST' ? Promise.resolve({ status: 201, ...response }) : real(each, signal),
    )
    const failed = insertRecord(sent, request, added)
    await expect(failed).rejects.toMatchObject({ code: 'integration.unreadable', kind: { retriable: false } })
    await expect(failed).rejects.toThrow('was added')
  })

  it('that does not end by the deadline has an unknown outcome', async () => {
    const deadline = new AbortController()
    const call = () => {
      queueMicrotask(() => deadline.abort())
      return new Promise<never>(() => undefined)
    }
    const late = createODataSource(faulty.url, call)
    await expect(insertRecord(late, { ...request, signal: deadline.signal }, added)).rejects.toMatchObject({
      code: 'integration.outcome_unknown',
    })
  })
})

describe('a delete', () => {
  it('names the version; without one, that of the row as it is', async () => {
    await deleteRecord(source, request, { id: 'a', version: etagOf(faulty.rows[0]!) })
    await deleteRecord(source, request, { id: "o'b/c", version: null })
    expect(faulty.rows).toEqual([])
    expect(faulty.requests.map(({ method }) => method)).toEqual(['DELETE', 'GET', 'DELETE'])
  })

  it('of a row without a version is refused', async () => {
    faulty.faults = { noVersions: true }
    await expect(deleteRecord(source, request, { id: 'a', version: null })).rejects.toMatchObject({
      code: 'integration.no_version',
    })
    expect(faulty.rows).toHaveLength(2)
  })
})

it('writes only to a writable object', async () => {
  const locked = requestOf({ object: { writable: false } })
  for (const work of [
    () => insertRecord(source, locked, values({})),
    () => updateRecord(source, locked, { id: 'a', version: '"1"', values: values({}) }),
    () => deleteRecord(source, locked, { id: 'a', version: '"1"' }),
  ])
    await expect(work()).rejects.toMatchObject({ code: 'virtual.not_writable' })
  expect(faulty.requests).toEqual([])
})

it('reads, adds and describes rows of the public server', async () => {
  const peer = await startPeer([])
  try {
    const real = createODataSource(peer.url, httpCall(peer.url))
    await insertRecord(real, request, values({ id_text: 'n1', name: 'New', amount: '3.25' }))
    const row = await readRecord(real, request, 'n1')
    expect(row).toMatchObject({ id: 'n1', version: null })
    expect(row.fields.get('amount')).toBe('3.25')
    await expect(readRecord(real, request, 'n2')).rejects.toMatchObject({ code: 'record.not_found' })
    const [set] = await loadMetadata(real, 'erp', request.signal)
    expect(set).toMatchObject({ name: 'Orders', type: 'Sales.Order', key: ['Id'] })
    expect(set!.properties.map(({ name, type }) => `${name} ${type}`)).toContain('Version Edm.Int64')
  } finally {
    await peer.close()
  }
})
