// The metadata of the token endpoint (RFC 8414): the address comes from the configuration, and never from a request.
import { describe, expect, it } from 'vitest'
import { runningServer } from '../support/running-server.ts'

const path = '/.well-known/oauth-authorization-server'

describe('the metadata of the issuer', () => {
  it('has the loopback address for every host name of a request', async () => {
    const test = await runningServer()
    try {
      const { port } = new URL(test.url)
      for (const host of [`127.0.0.1:${port}`, `localhost:${port}`]) {
        const forwarded = { host, forwarded: 'host=evil.example', 'x-forwarded-host': 'evil.example' }
        const { status, body } = await test.plain('GET', path, undefined, forwarded)
        expect([status, body]).toEqual([
          200,
          {
            issuer: test.url,
            token_endpoint: `${test.url}/oauth2/token`,
            grant_types_supported: ['client_credentials', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
            token_endpoint_auth_methods_supported: [
              ...['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
            ],
            token_endpoint_auth_signing_alg_values_supported: [
              ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'],
              ...['EdDSA', 'Ed25519'],
            ],
            response_types_supported: [],
          },
        ])
      }
      expect((await test.plain('GET', path, undefined, { host: 'evil.example' })).status).toBe(403)
    } finally {
      await test.close()
    }
  })

  it.each(['openid-configuration', 'oauth-authorization-server/', 'change-password', ''])(
    'is at its own address: /.well-known/%s does not exist, and does not show the studio',
    async (name) => {
      const test = await runningServer()
      try {
        const { status, body } = await test.plain('GET', `/.well-known/${name}`)
        expect([status, body?.['code']]).toEqual([404, 'route.not_found'])
      } finally {
        await test.close()
      }
    },
  )

  it('has the public URL, if there is one', async () => {
    const publicUrl = 'https://almanac.example.com'
    const test = await runningServer({ behindProxy: true, publicUrl, studio: false })
    try {
      const { body } = await test.plain('GET', path)
      expect(body).toMatchObject({ issuer: publicUrl, token_endpoint: `${publicUrl}/oauth2/token` })
    } finally {
      await test.close()
    }
  })
})
