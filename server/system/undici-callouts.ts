// Sends callouts with undici: one limit of time and size for an exchange, faults by name, addresses checked.
import { isIP } from 'node:net'
import {
  CalloutFault,
  type CalloutTransport,
  type TransportRequest,
  type TransportResponse,
} from '../ports/callout-transport.ts'
import { ConnectionPools, poolLimits, type PoolLimits } from './connection-pools.ts'
import { acceptedEncodings, decompress } from './decompress.ts'
import { Exchange, sizeReason, type RawResponse } from './exchange.ts'
import { guardedLookup, type AddressRule, type Lookup } from './guarded-lookup.ts'
import { urlSplitter } from './split-url.ts'

/** Headers that belong to the connection. */
const framing = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
])

export interface CalloutTransportOptions {
  limits?: PoolLimits
  /** In place of the machine's. */
  lookup?: Lookup
}

export interface UndiciCallouts extends CalloutTransport {
  /** The number of pools that are open. */
  pools(): number
}

/** @param rule checks the address of each URL, and each answer of a lookup */
export function undiciCallouts(
  rule: AddressRule,
  { limits = poolLimits, lookup }: CalloutTransportOptions = {},
): UndiciCallouts {
  const pools = new ConnectionPools(guardedLookup(rule, lookup), limits)
  const split = urlSplitter()
  return {
    pools: () => pools.size,
    close: () => pools.close(),
    send: async (request) => {
      const { origin, hostname, path } = split(request.url)
      // An IP address is never looked up, and a kept connection is not checked again.
      const refused = isIP(hostname) === 0 ? null : rule(hostname, hostname)
      if (refused !== null) throw new CalloutFault('address', refused, false)
      const use = pools.use(request, origin)
      const { pool, release } = use instanceof Promise ? await use : use
      const exchange = new Exchange(request)
      try {
        const { method, body } = request
        pool.dispatch({ path, method, headers: headersOf(request), body: body ?? null }, exchange)
      } catch (error) {
        exchange.fail(error)
      }
      try {
        const response = await exchange.response
        if (response.headers['content-encoding'] === undefined) return response
        return await decompressResponse(response, request.maxBytes)
      } finally {
        release()
      }
    },
  }
}

function headersOf({ headers }: TransportRequest): Record<string, string> {
  const sent: Record<string, string> = { 'accept-encoding': acceptedEncodings }
  for (const name in headers) {
    const lowerCase = name.toLowerCase()
    if (!framing.has(lowerCase)) sent[lowerCase] = headers[name]!
  }
  return sent
}

async function decompressResponse(response: RawResponse, maxBytes: number): Promise<TransportResponse> {
  const { 'content-encoding': encoding, ...others } = response.headers
  const body = await decompress(response.body, encoding, maxBytes)
  if (body === 'too_large') throw new CalloutFault('too_large', sizeReason(maxBytes), true, response.status)
  if (body === 'damaged')
    throw new CalloutFault('unreadable', 'the compression of the response is damaged', true, response.status)
  const { 'content-length': _, ...headers } = others
  return { status: response.status, headers, body }
}
