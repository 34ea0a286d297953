// Nothing that a user sees of a virtual object contains a hidden field, a row of a different owner, the secret of the source
// or its URL: in no route, no warning, no error, no cursor and no version.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startFaultySource, type Faults, type FaultySource } from '../conformance/odata/faulty-source.ts'
import { runningServer, type Answer, type Ask, type TestServer } from '../support/running-server.ts'
import { virtualOrg, type VirtualUser } from '../support/virtual-org.ts'

let source: FaultySource
let test: TestServer
let users: Record<VirtualUser, Ask>
let parcels: string[]

/** In a hidden field, in a row of a different owner, in the URL and in the secret of the source. */
const marks = ['7654321', 'hiddencity', 'otherrow', 'marked-key', 'marked-path']

beforeAll(async () => {
  source = await startFaultySource()
  test = await runningServer()
  users = await virtualOrg(test, {
    ...{ url: source.url, object: { ownerColumn: 'Name' } },
    source: { listViewDeadlineMs: 2500 },
  })
  parcels = []
  for (const order of ['A-1', 'otherrow-2', 'A-3']) {
    const added = await users.clerk<{ id: string }>('POST', '/data/v3/parcel', {
      code: `P-${parcels.length}`,
      order,
    })
    parcels.push(added.body.id)
  }
}, 60_000)
afterAll(async () => {
  await test.close()
  await source.close()
})
beforeEach(() => {
  source.rows = Array.from({ length: 12 }, (_, at) => ({
    ...{ Id: at % 2 === 1 ? `A-${at}` : `otherrow-${at}`, Name: at % 2 === 1 ? 'clerk' : 'otherrow' },
    ...{ City: 'hiddencity', Amount: 7654321, Placed: '2026-01-01', Open: true, Status: 'Sent', Pieces: at },
    Version: 1,
  }))
  source.faults = {}
})

type Request = readonly [method: string, path: string, body?: unknown, headers?: Record<string, string>]

const object = '/data/v3/sales_order'
const everyField = ['id_text', 'name', 'city', 'amount', 'pieces', 'double', 'status', 'version_no']

function requests(version: string): Request[] {
  const query = (more: object): Request => [
    'POST',
    '/data/v3/query',
    { object: 'sales_order', fields: everyField, countTo: 100, ...more },
  ]
  const change = { 'if-match': `"${version}"` }
  return [
    ['GET', '/data/v3'],
    ['GET', '/openapi.json'],
    ['GET', `${object}/describe`],
    ['GET', `${object}/A-1`],
    ['GET', `${object}/A-1?fields=${everyField.join(',')}`],
    ['GET', `${object}/otherrow`],
    ['GET', `${object}/A-1/history`],
    ['GET', `${object}/A-1/values/amount`],
    query({}),
    query({ limit: 3 }),
    query({ filter: 'pieces >= 0 && status == "Sent"', orderBy: [{ field: 'pieces', dir: 'desc' }] }),
    query({ filter: 'amount > 1' }),
    query({ filter: 'city == "x"' }),
    query({ orderBy: [{ field: 'amount' }] }),
    query({ orderBy: [{ field: 'city', dir: 'desc' }] }),
    ['POST', `${object}/search`, { text: 'clerk', fields: everyField }],
    ['POST', `${object}/search`, { text: 'hidden', matchFields: ['city'], fields: everyField }],
    ['POST', '/setup/v3/record-names', { records: [{ object: 'sales_order', id: 'A-1' }] }],
    [
      'POST',
      '/data/v3/query',
      { object: 'parcel', fields: ['code', 'order.name', 'order.amount', 'order.city'] },
    ],
    ...parcels.map((id): Request => [
      'GET',
      `/data/v3/parcel/${id}?fields=code,order.city,order.double,order.pieces`,
    ]),
    ['PATCH', `${object}/A-1`, { pieces: '7' }, change],
    ['PATCH', `${object}/A-1`, { city: 'x' }, change],
    ['PATCH', `${object}/A-1`, { pieces: '8' }, { 'if-match': '"x"' }],
    ['PATCH', `${object}/A-3`, { pieces: '8' }, { 'if-match': '*' }],
    ['DELETE', `${object}/otherrow-2`],
    ['POST', object, { id_text: 'A-1', pieces: '1' }],
    ['POST', object, { id_text: 'A-99', amount: '1' }],
    ['POST', '/data/v3/batch', { records: [{ op: 'update', object: 'sales_order', id: 'A-1', fields: {} }] }],
    ['GET', '/setup/v3/data-sources/erp/entity-sets'],
    ['GET', '/setup/v3/virtual-objects/sales_order'],
  ]
}

/** What is stored in the parcel itself is shown: the ids of its references. */
const withoutOwn = (text: string): string => text.replaceAll('"otherrow-2"', '""')

function leaks(text: string, headers: Headers): string[] {
  const head = [...headers].map(([name, value]) => `${name}: ${value}`).join('\n')
  const all = `${head}\n${withoutOwn(text)}`
  // Cursors and versions could contain a mark in base64.
  const opened = [...all.matchAll(/[A-Za-z0-9_-]{24,}/g)].map(([part]) =>
    Buffer.from(part, 'base64url').toString('latin1'),
  )
  return [...marks, source.url].filter((mark) => [all, ...opened].some((each) => each.includes(mark)))
}

const faults: [string, Faults][] = [
  ['works', {}],
  ['ignores filters', { ignores: ['$filter'] }],
  ['ignores orders and page sizes', { ignores: ['$orderby', 'maxpagesize', '$top'] }],
  [
    'pages unstably',
    {
      list: (payload, page) =>
        page === 1 ? { ...payload, value: [payload.value[0], ...payload.value] } : payload,
    },
  ],
  ['dies in the middle of a page', { diesAfter: 60, diesOnPage: 1 }],
  ['dies', { diesAfter: 60 }],
  ['fails', { status: { code: 500, body: 'hiddencity marked-key' } }],
  ['refuses', { status: { code: 401, body: '{"error":{"message":"marked-key"}}' } }],
  ['redirects', { status: { code: 302, headers: { location: 'http://127.0.0.1/marked-path' } } }],
  ['has no versions', { noVersions: true }],
  [
    'leads elsewhere',
    { list: (payload) => ({ ...payload, '@odata.nextLink': 'http://elsewhere.example/marked-path' }) },
  ],
]

describe.each(faults)('a source that %s', (_, fault) => {
  it('reveals nothing hidden', async () => {
    const read = await users.clerk<{ version?: string }>('GET', `${object}/A-1`)
    source.faults = fault
    const found: string[] = []
    for (const [method, path, body, headers] of requests(read.body.version ?? 'x')) {
      const answer: Answer = await users.clerk(method, path, body, headers)
      expect(answer.status, `${method} ${path}`).not.toBe(500)
      for (const mark of leaks(answer.text, answer.headers))
        // An error names what the request asked for.
        if (!path.includes(mark)) found.push(`${method} ${path} ${JSON.stringify(body ?? null)}: ${mark}`)
    }
    expect(found).toEqual([])
  }, 60_000)
})

it('finds a mark that is planted: a user who can see the fields sees them', async () => {
  const { text, headers } = await users.seller('GET', `${object}/A-1`)
  expect(leaks(text, headers)).toEqual(['7654321', 'hiddencity'])
})
