// An OData service of our own that pages with tokens and has ETags, as the examples of OASIS show them, and injects faults.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { filter as parseFilter } from 'odata-v4-parser'
import { passes, type PeerRow } from './peer.ts'

export interface Faults {
  /** Returns the payload of a list to send instead. */
  list?: (payload: ListJson, page: number) => unknown
  /** Runs before each response to a list. */
  before?: (page: number) => void | Promise<void>
  ignores?: readonly ('$filter' | '$orderby' | '$top' | '$skip' | 'maxpagesize')[]
  /** Cuts the body after so many characters, and the connection with it. */
  diesAfter?: number
  diesOnPage?: number
  status?: { code: number; body?: string; headers?: Record<string, string> }
  /** The text of `$metadata`. */
  metadata?: string
  /** Cuts the connection after a row was added. */
  dropsWrites?: boolean
  /** Without ETags. */
  noVersions?: boolean
  /** Responds to writes without the row. */
  isMinimal?: boolean
}

const property = (name: string, type: string, more = ''): string =>
  `<Property Name="${name}" Type="${type}"${more}/>`

const metadata = `<?xml version="1.0" encoding="utf-8"?>
<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
<Schema Namespace="Sales" xmlns="http://docs.oasis-open.org/odata/ns/edm">
<EnumType Name="Status"><Member Name="Draft"/><Member Name="Sent"/><Member Name="Paid"/></EnumType>
<EntityType Name="Order"><Key><PropertyRef Name="Id"/></Key>
${property('Id', 'Edm.String', ' Nullable="false"')}${property('Name', 'Edm.String')}
${property('Amount', 'Edm.Decimal', ' Precision="12" Scale="2"')}${property('Placed', 'Edm.Date')}
${property('Status', 'Sales.Status')}${property('Tags', 'Collection(Edm.String)')}
</EntityType>
<EntityType Name="Pair"><Key><PropertyRef Name="A"/><PropertyRef Name="B"/></Key>
${property('A', 'Edm.String', ' Nullable="false"')}${property('B', 'Edm.String', ' Nullable="false"')}
</EntityType>
<EntityContainer Name="All"><EntitySet Name="Orders" EntityType="Sales.Order"/>
<EntitySet Name="Pairs" EntityType="Sales.Pair"/></EntityContainer>
</Schema></edmx:DataServices></edmx:Edmx>`

export interface ListJson {
  '@odata.context': string
  '@odata.count'?: number
  value: Record<string, unknown>[]
  '@odata.nextLink'?: string
}

export interface FaultySource {
  url: string
  rows: PeerRow[]
  faults: Faults
  /** Lists that were asked for. */
  requests: { url: URL; headers: IncomingMessage['headers']; method: string; body: string }[]
  close(): Promise<void>
}

export async function startFaultySource(rows: PeerRow[] = []): Promise<FaultySource> {
  const source: FaultySource = { url: '', rows, faults: {}, requests: [], close: () => Promise.resolve() }
  const server = createServer((request, response) => {
    void respond(source, request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  source.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/service`
  source.close = () =>
    new Promise((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  return source
}

async function respond(
  source: FaultySource,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url!, source.url)
  let body = ''
  for await (const chunk of request) body += String(chunk)
  source.requests.push({ url, headers: request.headers, method: request.method!, body })
  const { status } = source.faults
  if (status !== undefined) {
    response.writeHead(status.code, { 'content-type': 'application/json', ...status.headers })
    return void response.end(status.body ?? '')
  }
  if (url.pathname === '/service/$metadata')
    return void response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(source.faults.metadata ?? metadata)
  const key = /^\/service\/Orders\((.*)\)$/.exec(decodeURIComponent(url.pathname))?.[1]
  if (url.pathname === '/service/Orders' && request.method === 'GET')
    return list(source, url, request, response)
  if (url.pathname === '/service/Orders') return insert(source, JSON.parse(body) as PeerRow, response)
  if (key === undefined) return void response.writeHead(404).end()
  return single(source, key.slice(1, -1).replaceAll("''", "'"), request, body, response)
}

/** The tag changes with each change of the row. */
export const etagOf = (row: PeerRow): string => `W/"${Buffer.from(JSON.stringify(row)).toString('base64')}"`

const entityOf = ({ faults }: FaultySource, row: PeerRow): Record<string, unknown> =>
  faults.noVersions === true ? { ...row } : { '@odata.etag': etagOf(row), ...row }

async function list(
  source: FaultySource,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { faults } = source
  const ignores = new Set<string>(faults.ignores)
  const token = url.searchParams.get('$skiptoken')
  const state = token === null ? null : (JSON.parse(Buffer.from(token, 'base64url').toString()) as PageState)
  const page = state?.page ?? 0
  await faults.before?.(page)
  const query = state?.query ?? url.search
  const options = new URLSearchParams(query)
  const filter = ignores.has('$filter') ? null : options.get('$filter')
  const found =
    filter === null ? [...source.rows] : source.rows.filter(passes(parseFilter(withEncodedSlashes(filter))))
  const order = ignores.has('$orderby') ? '' : (options.get('$orderby') ?? '')
  found.sort((a, b) => compareBy(order, a, b))
  const skip = (ignores.has('$skip') ? 0 : Number(options.get('$skip') ?? 0)) + (state?.used ?? 0)
  const top = ignores.has('$top') ? Infinity : Number(options.get('$top') ?? Infinity)
  const preferred = /maxpagesize=(\d+)/.exec(String(request.headers['prefer']))?.[1]
  const size = ignores.has('maxpagesize') ? Infinity : Number(preferred ?? Infinity)
  const rows = found.slice(skip, skip + Math.min(top, size))
  const payload: ListJson = {
    '@odata.context': `${source.url}/$metadata#Orders`,
    value: rows.map((row) => entityOf(source, row)),
  }
  if (options.get('$count') === 'true') payload['@odata.count'] = found.length
  if (rows.length === size && skip + rows.length < found.length) {
    const next: PageState = { page: page + 1, used: skip + rows.length, query }
    // Relative to the context, as the JSON format allows.
    payload['@odata.nextLink'] =
      `Orders?$skiptoken=${Buffer.from(JSON.stringify(next)).toString('base64url')}`
  }
  const text = JSON.stringify(faults.list?.(payload, page) ?? payload)
  response.writeHead(200, {
    'content-type': 'application/json;odata.metadata=minimal',
    'odata-version': '4.0',
  })
  if (faults.diesAfter === undefined || page !== (faults.diesOnPage ?? 0)) return void response.end(text)
  response.write(text.slice(0, faults.diesAfter), () => response.destroy())
}

/** The parser takes them only encoded. */
const withEncodedSlashes = (filter: string): string =>
  filter.replace(/'[^']*'/g, (text) => text.replaceAll('/', '%2F'))

interface PageState {
  page: number
  used: number
  query: string
}

function compareBy(order: string, a: PeerRow, b: PeerRow): number {
  for (const item of order.split(',').filter((each) => each !== '')) {
    const [name = '', dir] = item.split(' ')
    const [x, y] = [a[name] ?? null, b[name] ?? null]
    if (x === y) continue
    const compared = x === null ? -1 : y === null ? 1 : x < y ? -1 : 1
    return dir === 'desc' ? -compared : compared
  }
  return 0
}

function insert(source: FaultySource, row: PeerRow, response: ServerResponse): void {
  if (source.rows.some(({ Id }) => Id === row.Id)) return refuse(response, 409, 'Exists', 'The order exists')
  source.rows.push(row)
  if (source.faults.dropsWrites === true) return void response.destroy()
  const url = `${source.url}/Orders('${encodeURIComponent(row.Id)}')`
  if (source.faults.isMinimal === true)
    return void response.writeHead(204, { 'odata-entityid': url, location: url }).end()
  response.writeHead(201, { 'content-type': 'application/json', location: url })
  response.end(JSON.stringify(entityOf(source, row)))
}

function single(
  source: FaultySource,
  id: string,
  request: IncomingMessage,
  body: string,
  response: ServerResponse,
): void {
  const row = source.rows.find(({ Id }) => Id === id)
  if (row === undefined) return refuse(response, 404, 'NotFound', 'The order does not exist')
  if (request.method !== 'GET') {
    const condition = request.headers['if-match']
    if (condition === undefined) return refuse(response, 428, 'NoCondition', 'If-Match is needed')
    if (condition !== etagOf(row)) return refuse(response, 412, 'Changed', 'The order has changed')
  }
  if (request.method === 'DELETE') {
    source.rows = source.rows.filter((each) => each !== row)
    return void response.writeHead(204).end()
  }
  if (request.method === 'PATCH') Object.assign(row, JSON.parse(body))
  const headers = source.faults.noVersions === true ? {} : { etag: etagOf(row) }
  if (request.method === 'PATCH' && source.faults.isMinimal === true)
    return void response.writeHead(204, headers).end()
  response.writeHead(200, { 'content-type': 'application/json', ...headers })
  response.end(
    JSON.stringify({ '@odata.context': `${source.url}/$metadata#Orders/$entity`, ...entityOf(source, row) }),
  )
}

function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { code, message, innererror: { stack: 'secret of the service' } } }))
}
