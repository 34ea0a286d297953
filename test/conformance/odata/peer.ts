// A public OData 4 server (npm odata-v4-server) over rows in memory, with the filters of odata-v4-inmemory.
import { FilterVisitor, ODataMethodMap } from 'odata-v4-inmemory/lib/FilterVisitor.js'
import { type Token } from 'odata-v4-parser/lib/lexer.js'
import { Edm, odata, ODataController, ODataServer, type ODataQuery } from 'odata-v4-server'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export type PeerRow = Record<string, string | number | boolean | null> & { Id: string }

/** What odata-v4-inmemory does differently from OData 4.0, corrected. */
class CorrectedFilter extends FilterVisitor {
  /** It knows no enumerations. */
  VisitEnum(node: Token): () => string {
    const member = /'(.*)'$/.exec(node.raw)![1]!
    return () => member
  }

  // @ts-expect-error its index signature describes only the methods of a visitor
  protected override getLiteral(node: Token): unknown {
    const raw = node.raw as unknown
    if (raw === null || raw === 'null') return null
    // The server has read some literals already.
    if (raw instanceof Date) return raw.toISOString().replace(/\.?0*Z$/, 'Z')
    if (typeof raw !== 'string') return raw
    // It removes quotes inside of a text.
    if (raw.startsWith("'")) return raw.slice(1, -1).replaceAll("''", "'").replaceAll('%2F', '/')
    // It makes a Date, which is equal to no other Date. The rows have canonical texts.
    if (node.value === 'Edm.Date' || node.value === 'Edm.DateTimeOffset') return raw
    const isText = [undefined, 'Edm.Guid', 'Edm.String'].includes(node.value as string)
    return isText ? raw : super.getLiteral(node)
  }
}

const part = (from: number, to: number) => (date: string) => Number(date.slice(from, to))

Object.assign(ODataMethodMap, {
  // Its first position is 1.
  substring: (text: string, from: number, length?: number) =>
    text.slice(from, length === undefined ? undefined : from + length),
  year: part(0, 4),
  month: part(5, 7),
  day: part(8, 10),
})

export const passes = (filter: Token): ((row: PeerRow) => boolean) => {
  const run = new CorrectedFilter().Visit(filter, {}) as (row: PeerRow) => unknown
  return (row) => run(row) === true
}

class Order {}

const properties = {
  Id: Edm.String,
  Name: Edm.String,
  City: Edm.String,
  Amount: Edm.Decimal,
  Pieces: Edm.Int32,
  Weight: Edm.Double,
  Placed: Edm.Date,
  SentAt: Edm.DateTimeOffset,
  Open: Edm.Boolean,
  Status: Edm.String,
  Batch: Edm.Guid,
  Version: Edm.Int64,
}

Edm.Key(Order.prototype, 'Id')
for (const [name, type] of Object.entries(properties)) (type as PropertyDecorator)(Order.prototype, name)

export interface Peer {
  url: string
  rows: PeerRow[]
  /** Milliseconds that the last list took in the server itself. */
  close(): Promise<void>
}

/** Starts the server on loopback. Its rows can be replaced. */
export async function startPeer(rows: PeerRow[]): Promise<Peer> {
  const peer = { url: '', rows, close: () => Promise.resolve() }

  class OrdersController extends ODataController {
    find(query: ODataQuery): unknown {
      return listOf(peer.rows, optionsOf(query))
    }

    findOne(key: string): unknown {
      return peer.rows.find(({ Id }) => Id === key)
    }

    insert(body: PeerRow): unknown {
      peer.rows.push(body)
      return body
    }

    update(key: string, body: Partial<PeerRow>): void {
      Object.assign(peer.rows.find(({ Id }) => Id === key) ?? {}, body)
    }

    remove(key: string): void {
      peer.rows = peer.rows.filter(({ Id }) => Id !== key)
    }
  }

  class SalesServer extends ODataServer {}

  const at = OrdersController.prototype
  odata.type(Order)(OrdersController)
  odata.GET(at, 'find')
  odata.query(at, 'find', 0)
  odata.GET(at, 'findOne')
  odata.key(at, 'findOne', 0)
  odata.POST(at, 'insert')
  odata.body(at, 'insert', 0)
  odata.PATCH(at, 'update')
  odata.key(at, 'update', 0)
  odata.body(at, 'update', 1)
  odata.DELETE(at, 'remove')
  odata.key(at, 'remove', 0)
  odata.namespace('Sales')(SalesServer)
  odata.controller(OrdersController, 'Orders', Order)(SalesServer)
  const server = SalesServer.create('/odata', 0, '127.0.0.1') as Server
  if (!server.listening) await once(server, 'listening')
  peer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/odata`
  peer.close = () =>
    new Promise((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  return peer
}

interface Options {
  filter: Token | undefined
  orderBy: { name: string; isDescending: boolean }[]
  skip: number
  top: number
  count: boolean
}

function optionsOf(query: ODataQuery): Options {
  const all = ((query as unknown as Token)?.value?.options ?? []) as Token[]
  const find = (type: string): Token | undefined => all.find((each) => (each.type as string) === type)
  const order = find('OrderBy')?.raw.slice('$orderby='.length) ?? ''
  return {
    filter: find('Filter')?.value as Token | undefined,
    orderBy: order.split(',').flatMap((item) => {
      const [name, dir] = item.trim().split(' ')
      return name === '' ? [] : [{ name: name!, isDescending: dir === 'desc' }]
    }),
    skip: Number(find('Skip')?.value?.raw ?? 0),
    top: Number(find('Top')?.value?.raw ?? Infinity),
    count: find('InlineCount') !== undefined,
  }
}

function listOf(rows: readonly PeerRow[], { filter, orderBy, skip, top, count }: Options): unknown {
  const found = filter === undefined ? [...rows] : rows.filter(passes(filter))
  found.sort((a, b) => {
    for (const { name, isDescending } of orderBy) {
      const order = compare(a[name] ?? null, b[name] ?? null)
      if (order !== 0) return isDescending ? -order : order
    }
    return 0
  })
  const page = found.slice(skip, skip + top).map((row) => Object.assign(new Order(), row))
  if (count) Object.assign(page, { inlinecount: found.length })
  return page
}

/** Null is the lowest, as OData 4.0 defines. */
function compare(a: PeerRow[string], b: PeerRow[string]): number {
  if (a === b) return 0
  if (a === null || a === undefined) return -1
  if (b === null || b === undefined) return 1
  return a < b ? -1 : 1
}
