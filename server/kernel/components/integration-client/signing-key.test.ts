import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { signingKey } from './signing-key.ts'

const jwkOf = (key: KeyObject): Record<string, unknown> => ({ ...key.export({ format: 'jwk' }) })
const rsa = (modulusLength: number) => jwkOf(generateKeyPairSync('rsa', { modulusLength }).publicKey)
const ec = (namedCurve: string) => jwkOf(generateKeyPairSync('ec', { namedCurve }).publicKey)
const ed25519 = jwkOf(generateKeyPairSync('ed25519').publicKey)
const [rsa2048, p256] = [rsa(2048), ec('P-256')]

describe('the algorithms of a key', () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ['RSA without alg', rsa2048, ['RS256']],
    ['RSA with its alg', { ...rsa2048, alg: 'PS384' }, ['PS384']],
    ['P-256', p256, ['ES256']],
    ['P-384', ec('P-384'), ['ES384']],
    ['P-521', { ...ec('P-521'), alg: 'ES512' }, ['ES512']],
    ['Ed25519', ed25519, ['EdDSA', 'Ed25519']],
    ['Ed25519 by its newer name', { ...ed25519, alg: 'Ed25519' }, ['EdDSA', 'Ed25519']],
    ['for signatures', { ...p256, use: 'sig', key_ops: ['verify'] }, ['ES256']],
  ])('of a key %s', (_name, key, algorithms) => {
    expect(signingKey(key)).toEqual({ algorithms })
  })

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['a shared secret', { kty: 'oct', k: 'AAAA' }, /"kty" must be RSA, EC or OKP/],
    ['no type', {}, /"kty"/],
    ['the algorithm of another curve', { ...p256, alg: 'ES384' }, /"alg" is "ES384"; .* ES256/],
    ['a symmetric algorithm', { ...rsa2048, alg: 'HS256' }, /"alg" is "HS256"/],
    ['no algorithm', { ...rsa2048, alg: 'none' }, /"alg" is "none"/],
    ['a list of algorithms', { ...rsa2048, alg: ['RS256'] }, /"alg" is \["RS256"\]/],
    ['a curve that is not used', { ...p256, crv: 'secp256k1' }, /"crv" must be one of/],
    ['a curve for key agreement', { ...ed25519, crv: 'X25519' }, /"crv" must be Ed25519/],
    ['half a point', { ...p256, y: undefined }, /"y" is missing/],
    ['a coordinate that is not base64url', { ...p256, x: 'a+b=' }, /"x" is missing or not base64url/],
    ['a short modulus', rsa(1024), /1024 bits: use 2048 to 8192/],
    ['a modulus of zeros', { ...rsa2048, n: 'A'.repeat(400) }, /0 bits/],
    ['zeros before a short modulus', { ...rsa(1024), n: 'A'.repeat(200) + String(rsa(1024)['n']) }, /bits/],
    ['a long modulus', { ...rsa2048, n: `_${'A'.repeat(1400)}` }, /bits/],
    ['the exponent 1', { ...rsa2048, e: 'AQ' }, /exponent/],
    ['encryption as its use', { ...p256, use: 'enc' }, /"use" is "enc"/],
    ['other operations', { ...p256, key_ops: ['encrypt'] }, /"key_ops"/],
  ])('a key with %s cannot be used', (_name, key, problem) => {
    expect(signingKey(key)).toEqual({ problem: expect.stringMatching(problem) })
  })
})
