// Signs the assertions of RFC 7523: a client's own, and those that a token is issued for.
import type { KeyObject } from 'node:crypto'
import { SignJWT, type JWTPayload } from 'jose'
import { tokenDefaults } from '#kernel/components/external-credential/body.ts'
import { privateKeyOf, type SlotValues } from '../schemes/index.ts'
import type { OAuthBody, SigningDeps } from './token-call.ts'

type Algorithm = NonNullable<OAuthBody['algorithm']>

/** @throws AlmanacError if the private key does not fit the algorithm; without the message of the library */
export async function signAssertion(
  claims: JWTPayload & { iss: string; sub: string; aud: string },
  body: OAuthBody,
  slots: SlotValues,
  { clock, randomness }: SigningDeps,
): Promise<string> {
  const algorithm = body.algorithm ?? tokenDefaults.algorithm
  const key = privateKeyOf(slots)
  if (!fits[algorithm](key))
    throw slots.invalid('privateKey', `is not a key for ${algorithm}: ${needs[algorithm]}`)
  const seconds = Math.floor(Date.parse(clock.now()) / 1000)
  const times = { iat: seconds, exp: seconds + (body.lifetimeSec ?? tokenDefaults.lifetimeSec) }
  const jti = Buffer.from(randomness.bytes(16)).toString('base64url')
  const kid = slots.optional('keyId')
  try {
    return await new SignJWT({ ...claims, ...times, jti })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT', kid })
      .sign(key)
  } catch {
    throw slots.invalid('privateKey', `cannot sign with ${algorithm}`)
  }
}

const fits: Record<Algorithm, (key: KeyObject) => boolean> = {
  RS256: (key) => key.asymmetricKeyType === 'rsa' && isLong(key),
  PS256: (key) => (key.asymmetricKeyType === 'rsa' || key.asymmetricKeyType === 'rsa-pss') && isLong(key),
  ES256: (key) => key.asymmetricKeyDetails?.namedCurve === 'prime256v1',
  EdDSA: (key) => key.asymmetricKeyType === 'ed25519',
}

const needs: Record<Algorithm, string> = {
  RS256: 'it needs RSA with at least 2,048 bits',
  PS256: 'it needs RSA with at least 2,048 bits',
  ES256: 'it needs the curve P-256',
  EdDSA: 'it needs Ed25519',
}

const isLong = (key: KeyObject): boolean => (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048
