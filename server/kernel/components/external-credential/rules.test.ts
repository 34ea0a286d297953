import { describe, expect, it } from 'vitest'
import { codesWithPaths, component, findingsOf } from '../rule-fixture.ts'

const principals = [{ key: 'service' }]
const user = [{ key: 'user', mode: 'per_user' }]
const tokenUrl = 'https://login.example/token'
const client = { scheme: 'oauth2_client_credentials', tokenUrl, principals }
const consent = {
  scheme: 'oauth2_authorization_code',
  authorizationUrl: 'https://login.example/authorize',
  tokenUrl,
  principals: user,
}
const assertion = { scheme: 'oauth2_jwt_bearer', tokenUrl, principals }
const custom = (...parameters: object[]) => ({ scheme: 'custom', parameters, principals })

describe('externalCredentialRules', () => {
  it.each<[string, object, string[]]>([
    ['a header with a space', { scheme: 'api_key', name: 'X Key', principals }, ['/body/name']],
    ['a header with a line break', { scheme: 'api_key', name: 'X\r\nY', principals }, ['/body/name']],
    ['a header of the connection', { scheme: 'api_key', name: 'HOST', principals }, ['/body/name']],
    ['a prefix with a line break', { scheme: 'api_key', prefix: 'a\n', principals }, ['/body/prefix']],
    ['a prefix beyond Latin-1', { scheme: 'api_key', prefix: 'ключ ', principals }, ['/body/prefix']],
    ['a query parameter of any name', { scheme: 'api_key', in: 'query', name: 'api key', principals }, []],
    [
      'a region with a line break',
      { scheme: 'aws_sigv4', region: 'eu\n', service: 's3', principals },
      ['/body/region'],
    ],
    ['Authorization as a header', { scheme: 'api_key', name: 'Authorization', principals }, []],
    [
      'one header twice',
      custom({ name: 'X-A' }, { name: 'X-B' }, { name: 'x-a' }),
      ['/body/parameters/2/name'],
    ],
    ['a header and a parameter', custom({ name: 'X-A' }, { in: 'query', name: 'x-a' }), []],
    ['a reserved slot', custom({ name: 'caChain' }), ['/body/parameters/0/name']],
    ['a framing header', custom({ name: 'Transfer-Encoding' }), ['/body/parameters/0/name']],
    ['a parameter of the server', { ...client, tokenParameters: { resource: 'https://a.example' } }, []],
    [
      'parameters that the scheme sets',
      { ...client, tokenParameters: { client_secret: 'x', audience: 'y' } },
      ['/body/tokenParameters/client_secret', '/body/tokenParameters/audience'],
    ],
    ['a client id beside an assertion', { ...assertion, tokenParameters: { client_id: 'app' } }, []],
    ['a claim of the server', { ...assertion, claims: { scope: 'a b' } }, []],
    ['a registered claim', { ...assertion, claims: { sub: 'mara' } }, ['/body/claims/sub']],
    ['a page parameter', { ...consent, authorizationParameters: { access_type: 'offline' } }, []],
    [
      'a state that is not random',
      { ...consent, authorizationParameters: { state: '1' } },
      ['/body/authorizationParameters/state'],
    ],
  ])('%s', (_, body, paths) => {
    const findings = findingsOf(component('external_credential/login', body))
    expect(codesWithPaths(findings)).toEqual(paths.map((path) => `credential.parameter ${path}`))
  })

  it.each([
    ['https://login.example/token', []],
    ['http://login.example/token', ['credential.unencrypted /body/tokenUrl']],
    ['http://localhost.example/token', ['credential.unencrypted /body/tokenUrl']],
    ['http://127.0.0.1.example/token', ['credential.unencrypted /body/tokenUrl']],
    ['http://localhost:8080/token', []],
    ['http://127.0.0.1:8080/token', []],
    ['http://[::1]:8080/token', []],
    ['ftp://login.example', ['credential.url /body/tokenUrl']],
  ])('reports the URL %s: %j', (tokenUrl, codes) => {
    const body = { ...client, tokenUrl }
    expect(codesWithPaths(findingsOf(component('external_credential/login', body)))).toEqual(codes)
  })

  it('reports one parameter that occurs twice once', () => {
    const findings = findingsOf(
      component('external_credential/login', custom({ name: 'X-A' }, { name: 'X-A' })),
    )
    expect(codesWithPaths(findings)).toEqual(['key.duplicate_item /body/parameters/1/name'])
  })
})

describe('externalCredentialBody', () => {
  it.each<[string, object]>([
    ['a status that is not an error', { ...client, refreshOn: [200] }],
    ['a client without a secret', { ...client, clientAuthentication: 'none' }],
    ['an assertion without an end', { ...assertion, lifetimeSec: 0 }],
  ])('refuses %s', (_, body) => {
    expect(() => component('external_credential/login', body)).toThrow()
  })

  it('fills in no default that older components do not have', () => {
    expect(component('external_credential/login', client).body).toEqual({
      ...client,
      scopes: [],
      clientAuthentication: 'basic',
      principals: [{ key: 'service', mode: 'named', grantedTo: [] }],
    })
  })
})
