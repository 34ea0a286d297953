// URLs and payloads as OASIS documents them: OData JSON Format 4.0 and 4.01 (relative URLs, control information, collections
// of entities), OData Protocol (server-driven paging, ETags, errors), OData URL Conventions (filters).
import { describe, expect, it } from 'vitest'
import { fixtureObject, fixtureView, listRequest, constants } from '../../../server/virtual/fixture.ts'
import {
  compileRowFilter,
  createODataSource,
  listPage,
  readRecord,
  updateRecord,
  type RemoteRequest,
} from '../../../server/virtual/index.ts'
import { filterText } from '../../../server/virtual/odata/filter-text.ts'

const fields = [
  { key: 'id_text', type: 'text', remoteField: 'ID' },
  { key: 'name', type: 'text', remoteField: 'Name' },
  { key: 'price', type: 'number', precision: 12, scale: 2, remoteField: 'Price' },
]
const object = { remoteEntity: 'Customers', externalId: 'ID', writable: true }
const view = fixtureView({ object, fields })
const signal = new AbortController().signal
const context = 'http://host/service/$metadata#Customers'

/** A service at http://host/service that responds with these payloads, one after the other. */
function serviceOf(...payloads: { status?: number; body?: string; [name: string]: unknown }[]) {
  const requests: RemoteRequest[] = []
  const source = createODataSource('http://host/service', (request) => {
    const payload = payloads[requests.push(request) - 1] ?? { value: [] }
    const { status = 200, body = JSON.stringify(payload) } = payload
    return Promise.resolve({ status, headers: {}, text: body })
  })
  return { source, requests }
}

describe('a partial collection of entities', () => {
  it.each([
    [
      'of 4.0, with a link relative to the context',
      {
        '@odata.context': context,
        '@odata.count': 37,
        value: [{ '@odata.etag': 'W/"MjAxMy0wNS0yN1QxMTo1OFo="', ID: 'ALFKI' }],
        '@odata.nextLink': 'Customers?$skiptoken=342r89',
      },
    ],
    [
      'of 4.01, without "odata."',
      {
        '@context': context,
        '@count': 37,
        value: [{ '@etag': 'W/"MjAxMy0wNS0yN1QxMTo1OFo="', ID: 'ALFKI' }],
        '@nextLink': 'Customers?$skiptoken=342r89',
      },
    ],
    [
      'with a count as a text, as in IEEE754Compatible, and an absolute link',
      {
        '@odata.context': context,
        '@odata.count': '37',
        value: [{ '@odata.etag': 'W/"MjAxMy0wNS0yN1QxMTo1OFo="', ID: 'ALFKI' }],
        '@odata.nextLink': 'http://host/service/Customers?$skiptoken=342r89',
      },
    ],
    [
      'with a relative context',
      {
        '@odata.context': '$metadata#Customers',
        '@odata.count': 37,
        value: [{ '@odata.etag': 'W/"MjAxMy0wNS0yN1QxMTo1OFo="', ID: 'ALFKI' }],
        '@odata.nextLink': 'Customers?$skiptoken=342r89',
      },
    ],
    [
      'without a context, with a link relative to the request',
      {
        '@odata.count': 37,
        value: [{ '@odata.etag': 'W/"MjAxMy0wNS0yN1QxMTo1OFo="', ID: 'ALFKI' }],
        '@odata.nextLink': '?$skiptoken=342r89',
      },
    ],
  ])('%s', async (_, payload) => {
    const others = Array.from({ length: 36 }, (_, at) => ({ ID: `OTHER${at}` }))
    const { source, requests } = serviceOf(payload, { value: others })
    const page = await listPage(source, listRequest(view, { limit: 50, count: true }), signal)
    expect(page.rows).toHaveLength(37)
    expect(page).toMatchObject({
      rows: { 0: { id: 'ALFKI', version: 'W/"MjAxMy0wNS0yN1QxMTo1OFo="' } },
      count: 37,
      next: null,
      warnings: [],
    })
    expect(requests[1]).toMatchObject({ method: 'GET', path: '/Customers', query: '$skiptoken=342r89' })
  })

  it('whose context is on a different server is not followed', async () => {
    const { source } = serviceOf({
      '@odata.context': 'http://inside/service/$metadata#Customers',
      value: [],
      '@odata.nextLink': 'Customers?$skiptoken=1',
    })
    await expect(listPage(source, listRequest(view), signal)).rejects.toMatchObject({
      code: 'integration.foreign_link',
    })
  })
})

describe('a request', () => {
  it('asks for exact numbers, a page size and its own version of the protocol', async () => {
    const { source, requests } = serviceOf({ value: [] })
    await listPage(source, listRequest(view, { limit: 10 }), signal)
    expect(requests[0]!.headers).toEqual({
      accept: 'application/json;odata.metadata=minimal;IEEE754Compatible=true',
      'odata-version': '4.0',
      'odata-maxversion': '4.01',
      prefer: 'odata.maxpagesize=10',
    })
  })

  it.each([
    ['name == "Milk"', "Name eq 'Milk'"],
    ['name == "Milk" && price == 2.55', "Name eq 'Milk' and Price eq 2.55"],
    ['name == "Milk" || price == 2.55', "Name eq 'Milk' or Price eq 2.55"],
    ['name in ["Milk", "Cheese"]', "Name eq 'Milk' or Name eq 'Cheese'"],
    ['!name.endsWith("ilk")', "not (Name ne null and endswith(Name,'ilk'))"],
    ['name == "O\'Neil"', "Name eq 'O''Neil'"],
  ])('with the filter %s', (filter, text) => {
    expect(
      filterText(
        compileRowFilter(filter, fixtureObject(view), view).condition(constants),
        fixtureObject(view),
      ),
    ).toBe(text)
  })
})

describe('an entity', () => {
  const request = { object: fixtureObject(view), view, owner: null, signal }
  const entity = (name: string, etag: string) => ({
    '@odata.context': `${context}/$entity`,
    '@odata.etag': etag,
    ID: 'ALFKI',
    Name: name,
  })

  it('is changed with the ETag that it was read with', async () => {
    const { source, requests } = serviceOf(entity('Alfreds', 'W/"1"'), entity('Futterkiste', 'W/"2"'))
    const { version } = await readRecord(source, request, 'ALFKI')
    const changed = await updateRecord(source, request, {
      id: 'ALFKI',
      version: version!,
      values: new Map([['name', 'Futterkiste']]),
    })
    expect(requests.map(({ method, path }) => `${method} ${decodeURIComponent(path)}`)).toEqual([
      "GET /Customers('ALFKI')",
      "PATCH /Customers('ALFKI')",
    ])
    expect(requests[1]!.headers).toMatchObject({ 'if-match': 'W/"1"', prefer: 'return=representation' })
    expect(changed.version).toBe('W/"2"')
  })

  it('that has changed responds with 412', async () => {
    const { source } = serviceOf({ status: 412 })
    const change = updateRecord(source, request, { id: 'ALFKI', version: 'W/"1"', values: new Map() })
    await expect(change).rejects.toMatchObject({ code: 'conflict.stale_version', kind: { status: 412 } })
  })

  it('of which a part is invalid responds with an error, a target and details', async () => {
    const body = JSON.stringify({
      error: {
        code: '501',
        message: 'Unsupported functionality',
        target: 'query',
        details: [{ code: '301', target: '$search', message: '$search query option not supported' }],
        innererror: { trace: ['…'], context: { key: 'secret' } },
      },
    })
    const { source } = serviceOf({ status: 501, body })
    const read = readRecord(source, request, 'ALFKI')
    await expect(read).rejects.toThrow(
      'Customers of erp responded with status 501: 501, Unsupported functionality.',
    )
    await expect(read).rejects.not.toThrow('secret')
  })
})
