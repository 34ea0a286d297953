import { describe, expect, it } from 'vitest'
import { component } from '#kernel/components/rule-fixture.ts'
import { credentialSlots } from '#kernel/components/external-credential/secret-slots.ts'
import { inSecretWords, secretWords } from './secret-words.ts'

const tokenUrl = 'https://login.example/token'
const code = {
  ...{ scheme: 'oauth2_authorization_code', tokenUrl },
  authorizationUrl: 'https://login.example/authorize',
}
const bodies = [
  { scheme: 'oauth2_client_credentials', tokenUrl },
  { scheme: 'oauth2_client_credentials', tokenUrl, clientAuthentication: 'private_key_jwt' },
  code,
  { ...code, clientAuthentication: 'none' },
  { scheme: 'oauth2_jwt_bearer', tokenUrl },
  { scheme: 'mtls' },
  { scheme: 'aws_sigv4', region: 'eu-central-1', service: 's3' },
  { scheme: 'api_key' },
  { scheme: 'basic' },
]

describe('secretWords', () => {
  it.each(bodies)('has a label for each secret of $scheme', (body) => {
    const parsed = component('external_credential/login', { ...body, principals: [{ key: 'p' }] }).body
    for (const { name } of credentialSlots(parsed, parsed.principals[0]!))
      expect(secretWords(body.scheme, name).label, name).toMatch(/^[A-Z][a-zA-Z]* ?[a-zA-Z ]*$/)
    for (const { name } of credentialSlots(parsed, parsed.principals[0]!))
      expect(secretWords(body.scheme, name).label, name).not.toBe(name)
  })

  it('leaves the names of headers and parameters as they are, and hides them', () => {
    expect(secretWords('custom', 'key')).toEqual({ label: 'key', isVisible: false })
    expect(secretWords('custom', 'caChain').label).toBe('Certificates to trust')
  })

  it('shows what only names who calls', () => {
    expect(secretWords('aws_sigv4', 'accessKeyId').isVisible).toBe(true)
    expect(secretWords('aws_sigv4', 'secretAccessKey').isVisible).toBe(false)
  })
})

describe('inSecretWords', () => {
  it('uses the labels of the form', () => {
    const message = 'The secret "secretAccessKey" has more than 64 KiB.'
    expect(inSecretWords('aws_sigv4', message)).toBe('The secret “Secret access key” has more than 64 KiB.')
  })
})
