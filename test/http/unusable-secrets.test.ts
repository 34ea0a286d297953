// Secrets that no call can use are refused when they are written and when they are promoted, by name and never by value.
import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apply } from '../support/billing-org.ts'
import { hasOpenssl, makeCertificates } from '../support/certificates.ts'
import { runningServer, type Answer, type TestServer } from '../support/running-server.ts'

const principals = [{ key: 'service' }]
const credential = (key: string, body: object) => ({
  ...{ type: 'external_credential', key, label: key },
  body: { principals, ...body },
})
const tokenUrl = 'https://login.example/token'
const signed = { tokenUrl, clientAuthentication: 'private_key_jwt', algorithm: 'ES256' }
const components = [
  credential('header', { scheme: 'api_key' }),
  credential('query', { scheme: 'api_key', in: 'query', name: 'k' }),
  credential('basic', { scheme: 'basic' }),
  credential('custom', { scheme: 'custom', parameters: [{ in: 'header', name: 'X-One' }] }),
  credential('mtls', { scheme: 'mtls' }),
  credential('aws', { scheme: 'aws_sigv4', region: 'eu-west-1', service: 's3' }),
  credential('client', { scheme: 'oauth2_client_credentials', ...signed }),
  credential('bearer', { scheme: 'oauth2_jwt_bearer', tokenUrl }),
  credential('account', {
    ...{ scheme: 'oauth2_authorization_code', ...signed, authorizationUrl: 'https://login.example/' },
    principals: [{ key: 'service', mode: 'per_user' }],
  }),
  credential('each', { scheme: 'api_key', principals: [{ key: 'service', mode: 'per_user' }] }),
  credential('changing', { scheme: 'api_key', in: 'query', name: 'k' }),
]

let test: TestServer
beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, components)
})
afterAll(() => test.close())

const at = (key: string): string => `/setup/v3/credentials/${key}/principals/service`
const put = (key: string, values: object, user?: string): Promise<Answer> =>
  test.studio('PUT', `${at(key)}/next`, { values, user })

const ecKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()
const certificate = '-----BEGIN CERTIFICATE-----\nmark\n-----END CERTIFICATE-----'

describe('a secret', () => {
  it.each<[string, Record<string, string>, string, string?]>([
    ['header', { key: 'mark\nX-Other: 1' }, 'The secret "key" contains a line break. Nothing was written.'],
    ['header', { key: 'mark ' }, '"key" begins or ends with a space'],
    ['header', { key: 'k', caChain: 'mark' }, '"caChain" contains no certificate in PEM'],
    ['query', { key: 'mark\ud800' }, '"key" contains half of a character'],
    ['basic', { username: 'ma:rk', password: 'b' }, '"username" contains a colon'],
    ['custom', { 'X-One': 'mark€' }, '"X-One" contains a character that headers cannot have'],
    ['mtls', { certificate, privateKey: 'mark' }, '"privateKey" is not a private key in PEM'],
    ['mtls', { certificate, privateKey: ecKey }, '"certificate" contains a certificate that cannot be read'],
    ['aws', { accessKeyId: 'ma/rk', secretAccessKey: 's' }, '"accessKeyId" contains a space, a comma or a'],
    ['aws', { accessKeyId: 'A', secretAccessKey: 'mark\n' }, '"secretAccessKey" contains a line break'],
    ['client', { clientId: 'a', privateKey: 'mark' }, '"privateKey" is not a private key in PEM'],
    ['bearer', { clientId: 'a', privateKey: ecKey }, '"privateKey" is not a key for RS256: it needs RSA'],
    ['account', { clientId: 'a', privateKey: 'mark' }, '"privateKey" is not a private key in PEM'],
    ['each', { key: 'mark\n' }, '"key" contains a line break', 'admin'],
    ['each', { caChain: 'mark' }, '"caChain" contains no certificate in PEM'],
  ])('of %s that no call can use is refused: %j', async (key, values, detail, user) => {
    const refused = await put(key, values, user)
    expect([refused.status, refused.body['code']]).toEqual([422, 'request.invalid'])
    expect(refused.body['detail']).toContain(detail)
    expect(refused.text).not.toMatch(/ma.?rk/)
  })

  it.each<[string, Record<string, string>, string?]>([
    ['query', { key: 'a\nb€' }],
    ['client', { clientId: 'a', privateKey: ecKey }],
    ['account', { clientId: 'a', privateKey: ecKey }],
    ['each', { key: 'k' }, 'admin'],
  ])('of %s that a call can use is accepted', async (key, values, user) => {
    expect((await put(key, values, user)).status).toBe(204)
  })

  it.skipIf(!hasOpenssl)('of mtls must be the key of the certificate', async () => {
    const { client, stranger, authority } = makeCertificates()
    const values = { certificate: client.cert, caChain: authority }
    const refused = await put('mtls', { ...values, privateKey: stranger.key })
    expect([refused.status, refused.body['detail']]).toEqual([
      ...[422, 'The secret "privateKey" does not belong to the certificate. Nothing was written.'],
    ])
    expect((await put('mtls', { ...values, privateKey: client.key })).status).toBe(204)
  })
})

describe('staged secrets', () => {
  it('are not promoted if a deploy has made them unusable, and are promoted if they can be used again', async () => {
    await put('changing', { key: 'first' })
    await put('changing', { key: 'two\nlines' })
    const promote = (): Promise<Answer> => test.studio('POST', `${at('changing')}/promote`)
    await apply(test.studio, [credential('changing', { scheme: 'api_key' })])
    const inHeader = await promote()
    expect([inHeader.status, inHeader.body['code'], inHeader.body['detail']]).toEqual([
      ...[422, 'request.invalid'],
      'The secret "key" contains a line break. They were not promoted. Stage new secrets.',
    ])
    await apply(test.studio, [credential('changing', { scheme: 'basic' })])
    const incomplete = await promote()
    expect([incomplete.status, incomplete.body['detail']]).toEqual([
      ...[422, expect.stringContaining('Missing: "username", "password"')],
    ])
    await apply(test.studio, [credential('changing', { scheme: 'api_key', in: 'query', name: 'k' })])
    expect((await promote()).status).toBe(204)
  })
})
