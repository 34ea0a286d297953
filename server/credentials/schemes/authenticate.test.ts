import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { authenticate } from './authenticate.ts'
import { bodyOf } from './body-fixture.ts'

const now = '2026-03-01T10:00:00.000Z'
const url = 'https://api.example/v1/rates?day=2026-03-01'
const context = { credential: 'bank', now }
const request = { method: 'GET', url, headers: { Accept: 'application/json' } }
const apiKey = bodyOf('api_key')
const inQuery = bodyOf('api_key', { in: 'query', name: 'key' })
const basic = bodyOf('basic')
const custom = bodyOf('custom', {
  parameters: [{ name: 'X-Tenant' }, { name: 'X-Token' }, { in: 'query', name: 'signature' }],
})
const aws = bodyOf('aws_sigv4', { region: 'eu-central-1', service: 'execute-api' })

function fault(work: () => unknown): AlmanacError {
  try {
    work()
  } catch (error) {
    if (error instanceof AlmanacError) return error
    throw error
  }
  throw new Error('It did not fail')
}

describe('authenticate', () => {
  it('sends a key in its header, and keeps the others', () => {
    expect(authenticate(apiKey, { key: 'k-1' }, request, context)).toEqual({
      url,
      headers: { accept: 'application/json', 'x-api-key': 'k-1' },
      tls: undefined,
    })
  })

  it('writes the prefix before the key, and replaces what the request has', () => {
    const body = bodyOf('api_key', { name: 'Authorization', prefix: 'Token ' })
    const sent = { ...request, headers: { AUTHORIZATION: 'other' } }
    expect(authenticate(body, { key: 'k-1' }, sent, context).headers).toEqual({ authorization: 'Token k-1' })
  })

  it.each([
    ['https://a.example', 'https://a.example?key=%C3%A9%20%26%2B'],
    ['https://a.example/?', 'https://a.example/?key=%C3%A9%20%26%2B'],
    ['https://a.example/x?a=1&a=2#part', 'https://a.example/x?a=1&a=2&key=%C3%A9%20%26%2B'],
    ['https://a.example/x?key=old&k%65y=old&keys=1', 'https://a.example/x?keys=1&key=%C3%A9%20%26%2B'],
    ['https://a.example/x?%zz=1&b=%20+', 'https://a.example/x?%zz=1&b=%20+&key=%C3%A9%20%26%2B'],
  ])('sends a key in the query of %s', (from, to) => {
    expect(authenticate(inQuery, { key: 'é &+' }, { ...request, url: from }, context).url).toBe(to)
  })

  it.each([
    ['Aladdin', 'open sesame', 'QWxhZGRpbjpvcGVuIHNlc2FtZQ=='],
    ['test', '123£', 'dGVzdDoxMjPCow=='],
    ['rené', 'a:b', 'cmVuw6k6YTpi'],
    ['rene\u0301', 'a:b', 'cmVuw6k6YTpi'],
    ['sk_live', '', 'c2tfbGl2ZTo='],
  ])('sends the user %s with a password', (username, password, encoded) => {
    expect(authenticate(basic, { username, password }, request, context).headers.authorization).toBe(
      `Basic ${encoded}`,
    )
  })

  it('sends every header and parameter of custom', () => {
    const secrets = { 'X-Tenant': 't', 'X-Token': 'k', signature: 's' }
    expect(authenticate(custom, secrets, request, context)).toEqual({
      url: `${url}&signature=s`,
      headers: { accept: 'application/json', 'x-tenant': 't', 'x-token': 'k' },
      tls: undefined,
    })
  })

  it.each(['oauth2_client_credentials', 'oauth2_authorization_code', 'oauth2_jwt_bearer'] as const)(
    'sends the token of %s',
    (scheme) => {
      const page = scheme === 'oauth2_authorization_code' ? { authorizationUrl: 'https://a.example' } : {}
      const body = bodyOf(scheme, { tokenUrl: 'https://a.example', ...page })
      const { headers } = authenticate(body, {}, request, { ...context, accessToken: 'a.b-c' })
      expect(headers.authorization).toBe('Bearer a.b-c')
    },
  )

  it.each<[string, string, () => unknown]>([
    ['integration.secret_absent', 'slot key', () => authenticate(apiKey, {}, request, context)],
    [
      'integration.secret_absent',
      'slot password',
      () => authenticate(basic, { username: 'a' }, request, context),
    ],
    [
      'integration.secret_absent',
      'X-Token',
      () => authenticate(custom, { 'X-Tenant': 't' }, request, context),
    ],
    [
      'integration.secret_invalid',
      'slot key of the credential bank is empty',
      () => authenticate(apiKey, { key: '' }, request, context),
    ],
    [
      'integration.secret_invalid',
      'key of the credential bank contains a line break',
      () => authenticate(apiKey, { key: 'canary\r\nX-Admin: 1' }, request, context),
    ],
    [
      'integration.secret_invalid',
      'only Latin-1',
      () => authenticate(apiKey, { key: 'canary€' }, request, context),
    ],
    [
      'integration.secret_invalid',
      'begins or ends with a space',
      () => authenticate(apiKey, { key: 'canary ' }, request, context),
    ],
    [
      'integration.secret_invalid',
      'control character',
      () => authenticate(apiKey, { key: 'canary\0' }, request, context),
    ],
    [
      'integration.secret_invalid',
      'half of a character',
      () => authenticate(inQuery, { key: 'canary\ud800' }, request, context),
    ],
    [
      'integration.secret_invalid',
      'slot username of the credential bank contains a colon',
      () => authenticate(basic, { username: 'canary:', password: 'b' }, request, context),
    ],
    [
      'integration.secret_invalid',
      'slot password of the credential bank contains a line break',
      () => authenticate(basic, { username: 'a', password: 'canary\n' }, request, context),
    ],
    [
      'integration.secret_invalid',
      'slot secretAccessKey',
      () => authenticate(aws, { accessKeyId: 'a', secretAccessKey: 'canary\n' }, request, context),
    ],
    [
      'integration.secret_invalid',
      'slot caChain of the credential bank contains no certificate',
      () => authenticate(apiKey, { key: 'k', caChain: 'canary' }, request, context),
    ],
    [
      'integration.secret_invalid',
      'slot privateKey of the credential bank is not a private key',
      () => authenticate(bodyOf('mtls'), { certificate, privateKey: 'canary' }, request, context),
    ],
    [
      'component.invalid',
      'https URLs only',
      () => authenticate(bodyOf('mtls'), {}, { ...request, url: 'http://a.example' }, context),
    ],
    [
      'request.invalid',
      'line break',
      () => authenticate(apiKey, { key: 'k' }, { ...request, headers: { 'X-A': 'a\nX-Admin: 1' } }, context),
    ],
  ])('reports %s: %s', (code, text, work) => {
    const error = fault(work)
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(text)])
    expect([error.message, error.cause]).toEqual([expect.not.stringContaining('canary'), undefined])
  })

  it('never sends a header with a line break, nor shows the value of a slot', () => {
    const parameters = fc.uniqueArray(
      fc.record({
        in: fc.constantFrom('header', 'query'),
        name: fc.string({ minLength: 1, unit: 'binary' }),
      }),
      { selector: ({ name }) => name, minLength: 1, maxLength: 4 },
    )
    const secret = fc.string({ minLength: 8, unit: 'binary' })
    fc.assert(
      fc.property(parameters, secret, fc.string({ unit: 'binary' }), (parameters, secret, prefix) => {
        const blank = parameters.some(({ name }) => name.trim() === '')
        if (blank) return
        const bodies = [
          bodyOf('custom', { parameters }),
          bodyOf('api_key', { ...parameters[0], prefix }),
          basic,
        ]
        const names = ['key', 'username', 'password', ...parameters.map(({ name }) => name)]
        const secrets = Object.fromEntries(names.map((name) => [name, secret]))
        for (const body of bodies)
          try {
            const { headers, url } = authenticate(body, secrets, request, context)
            expect(new Headers(headers)).toBeInstanceOf(Headers)
            for (const text of Object.values(headers)) expect(text.split(/[\r\n]/)).toHaveLength(1)
            expect(/^[\x21-\x7e]*$/.test(url)).toBe(true)
          } catch (error) {
            if (!(error instanceof AlmanacError)) throw error
            const shown = error.message.replaceAll(JSON.stringify(parameters[0]!.name), '')
            expect(shown.includes(secret)).toBe(false)
          }
      }),
    )
  })
})

const certificate = `-----BEGIN CERTIFICATE-----
MIIBKzCB3qADAgECAhRn8bRPQnA1zTqLr3bM6F4yq0mFtjAFBgMrZXAwDDEKMAgG
-----END CERTIFICATE-----`
