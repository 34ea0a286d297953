// Verifies the signature of an assertion with the public keys of its client. The algorithm comes from the key: that of the
// header only has to be the same.
import { compactVerify, errors, importJWK } from 'jose'
import { signingKey } from '#kernel/components/integration-client/signing-key.ts'
import { keyThumbprint } from '../access/index.ts'

type Jwk = Readonly<Record<string, unknown>>

export interface VerifiedSignature {
  payload: Uint8Array
  /** The thumbprint of the public key that verified it. */
  key: string
}

/** Null if none of the keys verifies it, or if it is not a signature in the compact form. */
export async function verifySignature(
  assertion: string,
  keys: readonly Jwk[],
): Promise<VerifiedSignature | null> {
  for (const key of keys) {
    const payload = await payloadOf(assertion, key)
    if (payload !== null) return { payload, key: keyThumbprint(key)! }
  }
  return null
}

async function payloadOf(assertion: string, key: Jwk): Promise<Uint8Array | null> {
  const known = signingKey(key)
  if ('problem' in known) return null
  const { algorithms } = known
  try {
    const { payload } = await compactVerify(assertion, ({ kid }) => imported(key, kid, algorithms[0]!), {
      algorithms: [...algorithms],
    })
    return payload
  } catch (error) {
    // Also of a key that is not valid, such as a point that is not on its curve.
    if (error instanceof errors.JOSEError || error instanceof TypeError) return null
    if (error instanceof DOMException) return null
    throw error
  }
}

/** @throws JWKSNoMatchingKey if the header names a different key */
async function imported(
  key: Jwk,
  kid: string | undefined,
  algorithm: string,
): Promise<Awaited<ReturnType<typeof importJWK>>> {
  if (kid !== undefined && key['kid'] !== kid) throw new errors.JWKSNoMatchingKey()
  // Its own `alg` is one of `algorithms`; other members do not matter here.
  const { alg: _alg, key_ops: _operations, ...rest } = key
  return importJWK(rest as Parameters<typeof importJWK>[0], algorithm)
}
