import { describe, expect, it } from 'vitest'
import { component } from '../rule-fixture.ts'
import { credentialSlots, secretNames } from './secret-slots.ts'

const tokenUrl = 'https://login.example/token'
const authorizationUrl = 'https://login.example/authorize'
const code = { scheme: 'oauth2_authorization_code', authorizationUrl, tokenUrl }

/** `name` of a required slot, `name?` of an optional one. */
const slotsOf = (body: object, mode = 'named') => {
  const parsed = component('external_credential/login', { ...body, principals: [{ key: 'p', mode }] }).body
  return credentialSlots(parsed, parsed.principals[0]!)
}

describe('credentialSlots', () => {
  it.each<[string, object, string]>([
    ['client credentials', { scheme: 'oauth2_client_credentials', tokenUrl }, 'clientId clientSecret'],
    [
      'a signed client',
      { scheme: 'oauth2_client_credentials', tokenUrl, clientAuthentication: 'private_key_jwt' },
      'clientId privateKey keyId? passphrase?',
    ],
    ['consent', code, 'clientId clientSecret'],
    ['consent of a public client', { ...code, clientAuthentication: 'none' }, 'clientId'],
    ['an assertion', { scheme: 'oauth2_jwt_bearer', tokenUrl }, 'clientId privateKey keyId? passphrase?'],
    ['a certificate', { scheme: 'mtls' }, 'certificate privateKey passphrase?'],
    [
      'AWS',
      { scheme: 'aws_sigv4', region: 'eu-central-1', service: 's3' },
      'accessKeyId secretAccessKey sessionToken?',
    ],
    ['a key', { scheme: 'api_key' }, 'key'],
    ['a password', { scheme: 'basic' }, 'username password'],
    ['headers', { scheme: 'custom', parameters: [{ name: 'X-B' }, { name: 'X-A' }] }, 'X-B X-A'],
  ])('%s', (_, body, names) => {
    const slots = slotsOf(body)
    expect(slots.map(({ name, required }) => (required ? name : `${name}?`)).join(' ')).toBe(
      `${names} caChain?`,
    )
    expect(slots.filter(({ perUser }) => perUser)).toEqual([])
  })

  it('stores the secrets of each user, and the certificates to trust once', () => {
    expect(slotsOf({ scheme: 'basic' }, 'per_user').map(({ name, perUser }) => [name, perUser])).toEqual([
      ['username', true],
      ['password', true],
      ['caChain', false],
    ])
  })

  it('stores the client of a consent once for all users', () => {
    expect(slotsOf(code, 'per_user').filter(({ perUser }) => perUser)).toEqual([])
  })
})

describe('secretNames', () => {
  it('lists only what a call needs', () => {
    const { body } = component('external_credential/x', { scheme: 'mtls', principals: [{ key: 'p' }] })
    expect(secretNames(body)).toEqual(['certificate', 'privateKey'])
  })
})
