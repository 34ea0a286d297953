import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import type { Callout } from './callout.ts'
import { buildRequest } from './callout-request.ts'
import { namedCredentialBody } from '#kernel/components/named-credential/body.ts'

const base = 'https://api.example.com/v1'
const body = namedCredentialBody.parse({ url: base, externalCredential: 'billing', principal: 'service' })

function built(path: string, pathParams: Record<string, string> = {}, more: Partial<Callout> = {}) {
  return buildRequest({
    credential: { key: 'billing', body },
    actor: 'ann',
    correlationId: 'c-1',
    method: 'GET',
    path,
    pathParams,
    ...more,
  })
}

describe('the path of a callout', () => {
  const paths: [template: string, params: Record<string, string>, url: string][] = [
    ['', {}, '/v1'],
    ['/', {}, '/v1/'],
    ['customers', {}, '/v1/customers'],
    ['/customers/{id}', { id: '7' }, '/v1/customers/7'],
    ['/customers/{id}/orders/{no}', { id: 'a b', no: 'ü?#' }, '/v1/customers/a%20b/orders/%C3%BC%3F%23'],
    ['/v{n}/x', { n: '..2' }, '/v1/v..2/x'],
    ["/Products('{id}')", { id: "O'Neil" }, "/v1/Products('O'Neil')"],
    ['/a%20b', {}, '/v1/a%20b'],
    ['/files/...', {}, '/v1/files/...'],
  ]
  it.each(paths)('%s with %j', (template, params, url) => {
    expect(built(template, params)).toMatchObject({ url: `https://api.example.com${url}` })
  })

  const refused: [template: string, params: Record<string, string>, reason: RegExp][] = [
    ['..', {}, /the path .*lead elsewhere/],
    ['/a/../b', {}, /lead elsewhere/],
    ['/a/./b', {}, /lead elsewhere/],
    ['/a/%2e%2E/b', {}, /lead elsewhere/],
    ['/a/.%2e/b', {}, /lead elsewhere/],
    ['/a/%252e%252e/b', {}, /lead elsewhere/],
    ['//evil.example', {}, /two slashes/],
    ['/a//b', {}, /two slashes/],
    ['\\\\evil.example', {}, /cannot contain/],
    ['/a\\b', {}, /cannot contain/],
    ['/a%2Fb', {}, /encoded slash/],
    ['/a%5cb', {}, /encoded slash/],
    ['/a%252fb', {}, /encoded slash/],
    ['https:evil', {}, /is a URL/],
    ['https://evil.example/', {}, /is a URL/],
    ['/a?b=c', {}, /cannot contain/],
    ['/a#b', {}, /cannot contain/],
    ['/a\nb', {}, /cannot contain/],
    ['/a b', {}, /cannot contain/],
    ['/a%zz', {}, /hexadecimal/],
    ['/{id', {}, /brace/],
    ['/{id}', {}, /"id" has no value/],
    ['/{toString}', {}, /"toString" has no value/],
    ['/x', { id: '1' }, /"id" is not in the path/],
    ['/{id}', { id: '' }, /"id" is empty/],
    ['/{id}', { id: '.' }, /"id" makes a segment/],
    ['/{id}', { id: '..' }, /"id" makes a segment/],
    ['/{id}', { id: '%2e%2e' }, /"id" makes a segment/],
    ['/{a}{b}', { a: '.', b: '.' }, /makes a segment/],
    ['/{id}', { id: '../admin' }, /"id" contains a slash/],
    ['/{id}', { id: 'a\\b' }, /"id" contains a slash/],
    ['/{id}', { id: 'a%2fb' }, /"id" contains a slash/],
    ['/{id}', { id: '\ud800' }, /Unicode/],
  ]
  it.each(refused)('refuses %j with %j', (template, params, reason) => {
    const request = built(template, params)
    expect('reason' in request && request.reason).toMatch(reason)
  })

  it('stays below the URL of the credential with any values', () => {
    const nasty = fc.array(
      fc.constantFrom('.', '..', '/', '\\', '%', '2', 'e', 'f', '5c', '?', '#', ':', '@', 'a', '{', '}'),
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      nasty.map((parts) => parts.join('')),
    )
    const template = fc.array(fc.constantFrom('/', '{a}', '{b}', 'x', '.', '..', '%2e', '//', ':'), {
      maxLength: 8,
    })
    fc.assert(
      fc.property(template, text, text, (parts, a, b) => {
        const path = parts.join('')
        const names = ['a', 'b'].filter((name) => path.includes(`{${name}}`))
        const params = Object.fromEntries(names.map((name) => [name, name === 'a' ? a : b]))
        const request = built(path, params)
        if ('reason' in request) return
        const url = new URL(request.url)
        expect(url.href).toBe(request.url)
        expect(url.origin).toBe('https://api.example.com')
        expect(url.pathname === '/v1' || url.pathname.startsWith('/v1/')).toBe(true)
        expect([url.search, url.hash]).toEqual(['', ''])
        const count = (value: string): number => value.split('/').length
        const expected = path === '' || path.startsWith('/') ? `/v1${path}` : `/v1/${path}`
        expect(count(url.pathname)).toBe(count(expected))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('the rest of a request', () => {
  it('encodes its query, repeats names, and leaves the $ of OData', () => {
    const query = [
      ['$filter', "name eq 'a+b&c'"],
      ['tag', 'x'],
      ['tag', 'y z'],
    ] as const
    expect(built('/x', {}, { query })).toMatchObject({
      url: `${base}/x?$filter=name%20eq%20'a%2Bb%26c'&tag=x&tag=y%20z`,
    })
  })

  it.each([
    ["/Orders('a%2Fb')", "/Orders('a%2Fb')"],
    ["/Orders('a%2F%2Fb%5Cc')", "/Orders('a%2F%2Fb%5Cc')"],
  ])('can have encoded slashes in a key, if the call allows it: %s', (path, sent) => {
    expect(built(path)).toEqual({ reason: 'the path contains an encoded slash or a backslash' })
    expect(built(path, {}, { hasSlashes: true })).toMatchObject({ url: `https://api.example.com/v1${sent}` })
  })

  it.each(["/Orders('a%2F..%2Fb')", "/Orders('%2F%2e%2e%2F')", "/Orders('a%252F%252e%252e%5Cb')"])(
    'never has a part that leads upwards: %s',
    (path) => expect(built(path, {}, { hasSlashes: true })).toMatchObject({ reason: /leads? elsewhere/ }),
  )

  it.each([
    ['$skiptoken=a+b%2B&x', '?$skiptoken=a+b%2B&x'],
    ['', ''],
  ])('sends an encoded query as it is: %j', (encodedQuery, sent) =>
    expect(built('/x', {}, { encodedQuery })).toMatchObject({ url: `https://api.example.com/v1/x${sent}` }),
  )

  it.each(['a b', 'a#b', 'a\nb'])('refuses an encoded query with other characters: %j', (encodedQuery) =>
    expect(built('/x', {}, { encodedQuery })).toEqual({
      reason: 'the query has a character that must be encoded',
    }),
  )

  it('sends its keys as headers', () => {
    const request = built(
      '/x',
      {},
      {
        method: 'POST',
        headers: { 'X-A': 'b' },
        body: { bytes: Buffer.from('{}'), mediaType: 'application/json' },
        idempotencyKey: { value: 'row-1', isDeclared: false },
      },
    )
    expect(request).toMatchObject({
      headers: {
        'x-a': 'b',
        'content-type': 'application/json',
        'idempotency-key': 'row-1',
        'x-correlation-id': 'c-1',
      },
    })
  })

  const refused: [name: string, more: Partial<Callout>, reason: RegExp][] = [
    ['a header with a line break', { headers: { 'X-A': 'secret-mark\r\nx: y' } }, /header "X-A"/],
    ['a header outside Latin-1', { headers: { 'X-A': 'secret-mark€' } }, /header "X-A"/],
    ['a header of the connection', { headers: { Host: 'secret-mark' } }, /"Host" is set by Almanac/],
    ['a header with a bad name', { headers: { 'a b': 'x' } }, /name of a header/],
    ['a body of GET', { body: { bytes: Buffer.from('x'), mediaType: 'text/plain' } }, /GET has a body/],
    [
      'a key with a line break',
      { idempotencyKey: { value: 'secret-mark\n', isDeclared: true } },
      /idempotency key/,
    ],
    ['a query that is not Unicode', { query: [['q', '\ud800']] }, /"q" is not valid Unicode/],
  ]
  it.each(refused)('refuses %s, without the value', (_, more, reason) => {
    const request = built('/x', {}, more)
    expect('reason' in request && request.reason).toMatch(reason)
    expect(JSON.stringify(request)).not.toContain('secret-mark')
  })
})
