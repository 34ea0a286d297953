// The public keys that verify assertions of a client: each key decides its algorithm (docs/reference/http.md).

/** The algorithms that a key verifies, or why it cannot be used. */
export type SigningKey = { algorithms: readonly string[] } | { problem: string }

type Jwk = Readonly<Record<string, unknown>>

const rsaAlgorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']
const curveAlgorithms: Readonly<Record<string, string>> = {
  'P-256': 'ES256',
  'P-384': 'ES384',
  'P-521': 'ES512',
}
/** Two names of one algorithm (RFC 8037, RFC 9864). */
const edwardsAlgorithms = ['EdDSA', 'Ed25519']

/** All algorithms that a key can have. */
export const signingAlgorithms: readonly string[] = [
  ...rsaAlgorithms,
  ...Object.values(curveAlgorithms),
  ...edwardsAlgorithms,
]

/** Bits of the modulus of an RSA key: shorter ones can be factored, longer ones take long to verify. */
const modulusBits = { least: 2048, most: 8192 }

/** An RSA key without `alg` verifies RS256; the other keys have one algorithm. */
export function signingKey(key: Jwk): SigningKey {
  const found = algorithmsOf(key)
  if ('problem' in found) return found
  if (key['use'] !== undefined && key['use'] !== 'sig')
    return { problem: `its "use" is ${JSON.stringify(key['use'])}, and not "sig"` }
  const operations = key['key_ops']
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify')))
    return { problem: 'its "key_ops" do not contain "verify"' }
  return found
}

function algorithmsOf(key: Jwk): SigningKey {
  switch (key['kty']) {
    case 'RSA':
      return rsaKey(key)
    case 'EC': {
      const own = curveAlgorithms[String(key['crv'])]
      if (own === undefined)
        return { problem: `its "crv" must be one of ${Object.keys(curveAlgorithms).join(', ')}` }
      return hasMembers(key, ['x', 'y']) ?? withAlgorithm(key, [own])
    }
    case 'OKP':
      if (key['crv'] !== 'Ed25519') return { problem: 'its "crv" must be Ed25519' }
      return hasMembers(key, ['x']) ?? withAlgorithm(key, edwardsAlgorithms, edwardsAlgorithms)
    default:
      return { problem: 'its "kty" must be RSA, EC or OKP' }
  }
}

function rsaKey(key: Jwk): SigningKey {
  const missing = hasMembers(key, ['n', 'e'])
  if (missing !== null) return missing
  const bits = bitLength(key['n'] as string)
  if (bits < modulusBits.least || bits > modulusBits.most)
    return { problem: `its modulus has ${bits} bits: use ${modulusBits.least} to ${modulusBits.most}` }
  // With the exponent 1, everything is its own signature.
  if (bitLength(key['e'] as string) < 2) return { problem: 'its exponent "e" is not valid' }
  return key['alg'] === undefined ? { algorithms: ['RS256'] } : withAlgorithm(key, rsaAlgorithms)
}

/** @param all what the key verifies if it names one of them; if omitted, only what it names */
function withAlgorithm({ alg }: Jwk, possible: readonly string[], all?: readonly string[]): SigningKey {
  if (alg === undefined) return { algorithms: possible }
  if (typeof alg === 'string' && possible.includes(alg)) return { algorithms: all ?? [alg] }
  return { problem: `its "alg" is ${JSON.stringify(alg)}; a key of this type has ${possible.join(' or ')}` }
}

function hasMembers(key: Jwk, names: readonly string[]): SigningKey | null {
  const missing = names.find((name) => typeof key[name] !== 'string' || !isBase64url(key[name]))
  return missing === undefined ? null : { problem: `its "${missing}" is missing or not base64url` }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const isBase64url = (text: string): boolean => /^[\w-]+$/.test(text)

/** Of the number that base64url contains, without leading zeros. */
function bitLength(text: string): number {
  const first = [...text].findIndex((digit) => digit !== 'A')
  if (first < 0) return 0
  const leadingZeros = first * 6 + Math.clz32(alphabet.indexOf(text[first]!)) - 26
  return Math.floor((text.length * 6) / 8) * 8 - leadingZeros
}
