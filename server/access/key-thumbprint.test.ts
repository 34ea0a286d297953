import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import { expect, it } from 'vitest'
import { keyThumbprint } from './key-thumbprint.ts'

it.each(['RS256', 'ES384', 'Ed25519'])('a key for %s has the thumbprint of RFC 7638', async (alg) => {
  const key = await exportJWK((await generateKeyPair(alg)).publicKey)
  expect(keyThumbprint({ ...key, kid: 'a', use: 'sig' })).toBe(await calculateJwkThumbprint(key, 'sha256'))
})

it('a key of an unknown type has none', () => {
  expect(keyThumbprint({ kty: 'oct', k: 'c2VjcmV0' })).toBeNull()
})
