// Builds the request of a callout, before it is authenticated. The same for each attempt.
import type { NamedCredentialBody } from '#kernel/components/named-credential/body.ts'
import type { CalloutMethod } from '../ports/callout-transport.ts'
import type { Callout } from './callout.ts'
import { fillPath } from './callout-path.ts'

export interface CalloutRequest {
  method: CalloutMethod
  url: string
  origin: string
  headers: Readonly<Record<string, string>>
  body: Uint8Array | undefined
}

/** A reason in words that contains no value. */
export type RequestProblem = { reason: string }

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Visible characters of Latin-1, blanks and tabs. */
const sendableValue = /^[\t\x20-\x7e\x80-\xff]*$/
/** Headers of the connection, of the executor, and of the scheme of the credential. */
const reserved = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'proxy-authorization',
  'idempotency-key',
  'x-correlation-id',
  'accept-encoding',
])

/** The URL of the call without its query, and with its names in braces. */
export function endpointOf({ credential, path: sent, endpointPath }: Callout): string {
  const path = endpointPath ?? sent
  const { shown: base } = baseOf(credential.body)
  return path === '' || path.startsWith('/') ? base + path : `${base}/${path}`
}

export function buildRequest(call: Callout): CalloutRequest | RequestProblem {
  const { method, body, pathParams = {}, query = [], encodedQuery, hasSlashes = false } = call
  const fill = fillPath(call.path, pathParams, { hasSlashes })
  if (fill.kind === 'problem') {
    const subject = fill.name === null ? 'the path' : `the path parameter "${fill.name}"`
    return { reason: `${subject} ${fill.reason}` }
  }
  if (body !== undefined && (method === 'GET' || method === 'HEAD')) return { reason: `${method} has a body` }
  const badPair = query.find(([name, value]) => !name.isWellFormed() || !value.isWellFormed())
  if (badPair !== undefined)
    return { reason: `the query parameter "${badPair[0].toWellFormed()}" is not valid Unicode` }
  if (encodedQuery !== undefined && !/^[A-Za-z0-9\-._~!$&'()*+,;=:@/?%[\]]*$/.test(encodedQuery))
    return { reason: 'the query has a character that must be encoded' }
  const base = baseOf(call.credential.body)
  const expected = base.path + fill.path || '/'
  const url = urlOf(base.origin, expected)
  if (url === null) return { reason: 'the path is not one that servers and proxies read alike' }
  const headers = headersOf(call)
  if ('reason' in headers) return headers
  return {
    method,
    url: url + (encodedQuery === undefined ? queryText(query) : rawQueryText(encodedQuery)),
    origin: base.origin,
    headers: headers.values,
    body: body?.bytes,
  }
}

interface Base {
  origin: string
  /** Without a slash at its end. */
  path: string
  /** The URL as it is written, without a slash at its end. */
  shown: string
}

const bases = new WeakMap<NamedCredentialBody, Base>()

function baseOf(body: NamedCredentialBody): Base {
  const known = bases.get(body)
  if (known !== undefined) return known
  const { origin, pathname } = new URL(body.url)
  const base = { origin, path: pathname.replace(/\/+$/, ''), shown: body.url.replace(/\/+$/, '') }
  bases.set(body, base)
  return base
}

function headersOf(call: Callout): { values: Record<string, string> } | RequestProblem {
  const values: Record<string, string> = { accept: 'application/json, */*;q=0.5' }
  for (const [name, value] of Object.entries(call.headers ?? {})) {
    const lowerCase = name.toLowerCase()
    if (!token.test(name)) return { reason: 'the name of a header is not valid' }
    if (reserved.has(lowerCase)) return { reason: `the header "${name}" is set by Almanac` }
    if (!sendableValue.test(value))
      return { reason: `the header "${name}" has a character that cannot be sent` }
    values[lowerCase] = value
  }
  if (call.body !== undefined) values['content-type'] ??= call.body.mediaType
  const { idempotencyKey, correlationId } = call
  if (idempotencyKey !== undefined) {
    if (!/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(idempotencyKey.value))
      return { reason: 'the idempotency key is empty, or has a character that cannot be sent' }
    values['idempotency-key'] = idempotencyKey.value
  }
  values['x-correlation-id'] = correlationId
  return { values }
}

const rawQueryText = (query: string): string => (query === '' ? '' : `?${query}`)

/** Characters that no parser of URLs changes; without "%" and ".", which can make a segment that leads elsewhere. */
const plainPath = /^\/[A-Za-z0-9\-_~/:@!$&()*+,;=]*$/

/** The URL of a path as parsers read it; null if they read a different one. */
function urlOf(origin: string, path: string): string | null {
  if (plainPath.test(path)) return origin + path
  const url = new URL(origin + path)
  return url.origin === origin && url.pathname === path ? url.href : null
}

/** The `$` of OData stays readable, and a blank is `%20`, which all servers read. */
function queryText(query: readonly (readonly [string, string])[]): string {
  if (query.length === 0) return ''
  const encode = (text: string): string => encodeURIComponent(text).replaceAll('%24', '$')
  return `?${query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')}`
}
