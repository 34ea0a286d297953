// A certified client library (openid-client) configures itself from the metadata and fetches tokens, on loopback.
import { exportJWK, generateKeyPair } from 'jose'
import * as oauth from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runningServer, type TestServer } from '../support/running-server.ts'
import { everything, readerClient } from '../support/small-org.ts'

const keys = { ES256: await generateKeyPair('ES256'), PS256: await generateKeyPair('PS256') }

let test: TestServer
let secret: string
beforeAll(async () => {
  test = await runningServer()
  await test.studio('POST', '/metadata/v3/apply', { components: everything })
  await test.studio('POST', '/setup/v3/users', { key: 'rea', name: 'Rea', permissionSets: ['readers'] })
  const jwks = {
    keys: [
      { ...(await exportJWK(keys.ES256.publicKey)), kid: 'one' },
      { ...(await exportJWK(keys.PS256.publicKey)), alg: 'PS256' },
    ],
  }
  const components = [
    readerClient,
    {
      ...{ ...readerClient, key: 'signed', label: 'Signed' },
      body: { ...readerClient.body, authScheme: 'oauth2_jwt_bearer', jwks },
    },
  ]
  expect((await test.studio('POST', '/metadata/v3/apply', { components })).status).toBe(200)
  const made = await test.studio<{ clientSecret: string }>('POST', '/setup/v3/clients/reader/secrets')
  secret = made.body.clientSecret
})
afterAll(() => test.close())

const discovered = (client: string, authentication: oauth.ClientAuth): Promise<oauth.Configuration> =>
  oauth.discovery(new URL(test.url), client, undefined, authentication, {
    algorithm: 'oauth2',
    execute: [oauth.allowInsecureRequests],
  })
async function userOf(configuration: oauth.Configuration): Promise<unknown> {
  const {
    access_token: token,
    token_type: type,
    expires_in: seconds,
  } = await oauth.clientCredentialsGrant(configuration)
  expect([type, seconds]).toEqual(['bearer', 3600])
  return (await test.bearer(token)('GET', '/setup/v3/org')).body['me']
}

describe('openid-client', () => {
  it.each<[string, () => oauth.ClientAuth]>([
    ['client_secret_basic', () => oauth.ClientSecretBasic(secret)],
    ['client_secret_post', () => oauth.ClientSecretPost(secret)],
  ])('gets a token with %s', async (method, authentication) => {
    const configuration = await discovered('reader', authentication())
    expect(configuration.serverMetadata().token_endpoint_auth_methods_supported).toContain(method)
    expect(await userOf(configuration)).toMatchObject({ key: 'rea' })
  })

  it.each<[string, () => oauth.ClientAuth]>([
    ['ES256 and the id of its key', () => oauth.PrivateKeyJwt({ key: keys.ES256.privateKey, kid: 'one' })],
    ['PS256', () => oauth.PrivateKeyJwt(keys.PS256.privateKey)],
  ])('gets tokens with private_key_jwt and %s', async (_name, authentication) => {
    const configuration = await discovered('signed', authentication())
    // Each time with a new assertion.
    for (let at = 0; at < 2; at += 1) expect(await userOf(configuration)).toMatchObject({ key: 'rea' })
  })

  it('gets none with a wrong secret or key, for a reason in the words of OAuth', async () => {
    const wrong = await discovered('reader', oauth.ClientSecretPost('wrong'))
    await expect(oauth.clientCredentialsGrant(wrong)).rejects.toMatchObject({ status: 401 })
    const other = await discovered('signed', oauth.PrivateKeyJwt((await generateKeyPair('ES256')).privateKey))
    await expect(oauth.clientCredentialsGrant(other)).rejects.toMatchObject({ status: 401 })
    const parameters = { assertion: 'x' }
    const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
    await expect(oauth.genericGrantRequest(other, grant, parameters)).rejects.toMatchObject({
      ...{ error: 'invalid_grant', status: 400 },
      error_description: 'The assertion is not valid, or its client or key is unknown.',
    })
  })
})
