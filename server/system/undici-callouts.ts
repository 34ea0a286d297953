// Sends callouts with undici: one limit of time and size for an exchange, faults by name, addresses checked.
import { isIP } from 'node:net'
import {
  CalloutFault,
  type CalloutTransport,
  type TransportRequest,
  type TransportResponse,
} from '../ports/callout-transport.ts'
import { ConnectionPools, poolLimits, type PoolLimits, type PoolUse } from './connection-pools.ts'
import { acceptedEncodings } from './decompress.ts'
import { Exchange } from './exchange.ts'
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
    send: (request) => {
      try {
        const { origin, hostname, path } = split(request.url)
        // An IP address is never looked up, and a kept connection is not checked again.
        const refused = isIP(hostname) === 0 ? null : rule(hostname, hostname)
        if (refused !== null) throw new CalloutFault('address', refused, false)
        // Its time begins before the pool is opened, during which a process can be stopped.
        const exchange = new Exchange(request)
        const use = pools.use(request, origin)
        return use instanceof Promise
          ? endedWith(exchange, use).then((opened) => dispatch(opened, exchange, request, path))
          : dispatch(use, exchange, request, path)
      } catch (error) {
        return Promise.reject(error as Error)
      }
    },
  }
}

function dispatch(
  { pool, release }: PoolUse,
  exchange: Exchange,
  request: TransportRequest,
  path: string,
): Promise<TransportResponse> {
  exchange.onEnd(release)
  try {
    const { method, body } = request
    pool.dispatch({ path, method, headers: headersOf(request), body: body ?? null }, exchange)
  } catch (error) {
    exchange.fail(error)
  }
  return exchange.response
}

/** The exchange can end while the pool is opened. */
async function endedWith<T>(exchange: Exchange, opening: Promise<T>): Promise<T> {
  exchange.response.catch(() => undefined)
  try {
    return await opening
  } catch (error) {
    exchange.fail(error)
    throw error
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
