// A server that demands a client certificate.
import { createServer, request as send } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasOpenssl, makeCertificates, type Certificates } from '../../../test/support/certificates.ts'
import { authenticate } from './authenticate.ts'
import { bodyOf } from './body-fixture.ts'
import type { Secrets } from './outgoing-request.ts'

describe.skipIf(!hasOpenssl)(`mtls${hasOpenssl ? '' : ' (skipped: openssl is missing)'}`, () => {
  let certificates: Certificates
  let url = ''
  let server: ReturnType<typeof createServer>

  beforeAll(async () => {
    certificates = makeCertificates()
    const { server: own, authority } = certificates
    server = createServer(
      { ...own, ca: authority, requestCert: true, rejectUnauthorized: true },
      (request, response) => {
        const peer = (request.socket as TLSSocket).getPeerCertificate()
        response.end(peer.subject.CN)
      },
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
  })

  afterAll(() => new Promise((resolve) => server.close(resolve)))

  const call = (secrets: Secrets) => {
    const sent = authenticate(
      bodyOf('mtls'),
      secrets,
      { method: 'GET', url, headers: {} },
      {
        credential: 'bank',
        now: '2026-03-01T10:00:00.000Z',
      },
    )
    return new Promise<string>((resolve, reject) => {
      const outgoing = send(sent.url, { ...sent.tls, headers: sent.headers, agent: false }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part: string) => (text += part))
        response.on('end', () => resolve(text))
      })
      outgoing.on('error', reject)
      outgoing.end()
    })
  }
  const secrets = (more: Secrets = {}): Secrets => ({
    certificate: certificates.client.cert,
    privateKey: certificates.client.key,
    caChain: certificates.authority,
    ...more,
  })

  it('presents the certificate', async () => {
    expect(await call(secrets())).toBe('almanac')
  })

  it('decrypts the private key', async () => {
    const { encryptedKey: privateKey, passphrase } = certificates
    expect(await call(secrets({ privateKey, passphrase }))).toBe('almanac')
  })

  it('is refused with a certificate of a different authority', async () => {
    const { cert: certificate, key: privateKey } = certificates.stranger
    await expect(call(secrets({ certificate, privateKey }))).rejects.toThrow()
  })

  it('does not trust the server without its authority', async () => {
    const { caChain: _, ...others } = secrets()
    await expect(call(others)).rejects.toMatchObject({ code: 'SELF_SIGNED_CERT_IN_CHAIN' })
  })

  it.each<[string, string, () => Secrets]>([
    ['a key of a different certificate', 'privateKey', () => ({ privateKey: certificates.stranger.key })],
    ['an encrypted key alone', 'privateKey', () => ({ privateKey: certificates.encryptedKey })],
    [
      'a wrong passphrase',
      'passphrase',
      () => ({ privateKey: certificates.encryptedKey, passphrase: 'canary' }),
    ],
    ['half a certificate', 'certificate', () => ({ certificate: broken(certificates.client.cert) })],
    ['half a key', 'privateKey', () => ({ privateKey: broken(certificates.client.key) })],
    ['a broken chain', 'caChain', () => ({ caChain: broken(certificates.authority) })],
  ])('reports %s', (_, slot, more) => {
    let error: unknown
    try {
      void call(secrets(more()))
    } catch (caught) {
      error = caught
    }
    expect(error).toMatchObject({ code: 'integration.secret_invalid', cause: undefined })
    expect(String(error)).toContain(`The slot ${slot} of the credential bank`)
    expect(String(error)).not.toContain('canary')
  })
})

/** The text of a PEM block without its middle. */
const broken = (pem: string): string => pem.replace(/\n[^-]{400}/, '\n')
