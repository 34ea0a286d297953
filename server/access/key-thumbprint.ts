// Names a public key by what it is (RFC 7638): its id is optional, and can be reused.
import { hash } from 'node:crypto'

/** The members that make a key of each type, in the order of the standard. */
const members: Readonly<Record<string, readonly string[]>> = {
  RSA: ['e', 'kty', 'n'],
  EC: ['crv', 'kty', 'x', 'y'],
  OKP: ['crv', 'kty', 'x'],
}

/** The SHA-256 thumbprint of a public key as a JWK; null for a key of an unknown type. */
export function keyThumbprint(key: Readonly<Record<string, unknown>>): string | null {
  const names = members[String(key['kty'])]
  if (names === undefined) return null
  return hash(
    'sha256',
    JSON.stringify(Object.fromEntries(names.map((name) => [name, key[name]]))),
    'base64url',
  )
}
