// Signed assertions of clients with oauth2_jwt_bearer (RFC 7523): verified with the public keys of the client, each
// accepted once.
import { createLocalJWKSet, decodeJwt, errors, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose'
import { hashSecret, keyThumbprint } from '../access/index.ts'
import type { Clock } from '../ports/clock.ts'
import type { OrgStore } from '../ports/org-store.ts'
import type { OrgWrite } from '../ports/org-write.ts'

export interface ClientAssertions {
  /**
   * Returns the client that signed an assertion and the thumbprint of its key, and marks the assertion as used.
   * @param audiences the URLs of this token endpoint and of its server
   * @throws AssertionError
   */
  verify(assertion: string, audiences: readonly string[]): Promise<ProvedAssertion>
}

export interface ProvedAssertion {
  client: string
  /** The thumbprint of the public key that verified it. */
  key: string
}

/** Why an assertion is refused. Before its signature is verified, one reason for every cause. */
export class AssertionError extends Error {}

export interface ClientAssertionsDeps {
  store: Pick<OrgStore, 'read'>
  write: OrgWrite
  clock: Clock
}

/** Asymmetric signatures only: a public key never serves as a shared secret. */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]
/** How long an assertion can be valid, in seconds: its id is kept as long. */
const maxLifetime = 600
/** How far clocks can differ, in seconds. */
const skew = 30
const maxIdLength = 256

export function createClientAssertions({ store, write, clock }: ClientAssertionsDeps): ClientAssertions {
  return {
    verify: async (assertion, audiences) => {
      const client = issuerOf(assertion)
      const keys = store.read((reader) => {
        const view = reader.generations.view(reader.generations.active())
        const body = view.get('integration_client', client)?.body
        return body?.authScheme === 'oauth2_jwt_bearer' ? body.jwks : undefined
      })
      if (keys === undefined) throw unverified()
      const now = clock.now()
      const { payload, key } = await verified(assertion, keys as unknown as JSONWebKeySet, {
        ...{ issuer: client, subject: client, audience: [...audiences], algorithms },
        ...{ clockTolerance: skew, currentDate: new Date(now), requiredClaims: ['exp', 'jti', 'aud'] },
      })
      const seconds = Math.floor(Date.parse(now) / 1000)
      // The library checks it only beside a maximum age.
      if (payload.iat !== undefined && payload.iat > seconds + skew)
        throw new AssertionError(claimReason('iat'))
      const expires = lastMoment(payload, seconds)
      const used = { hash: hashSecret(`${client}\n${payload.jti!}`), expiresAt: expires.toISOString() }
      const isNew = await write((transactor) => transactor.tokens.useAssertion(used, now))
      if (!isNew) throw new AssertionError('The assertion was used before: each needs a new "jti".')
      return { client, key }
    },
  }
}

function issuerOf(assertion: string): string {
  let issuer: unknown
  try {
    issuer = decodeJwt(assertion).iss
  } catch {
    throw unverified()
  }
  // The claims are not verified yet, so this can be any JSON value.
  if (typeof issuer !== 'string') throw unverified()
  return issuer
}

interface Verified {
  payload: JWTPayload
  key: string
}

async function verified(
  assertion: string,
  keys: JSONWebKeySet,
  options: Parameters<typeof jwtVerify>[2],
): Promise<Verified> {
  try {
    return await verifiedByAny(assertion, keys, options)
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new AssertionError('The assertion has expired.')
    if (error instanceof errors.JWTClaimValidationFailed) throw new AssertionError(claimReason(error.claim))
    throw unverified()
  }
}

/** Each key alone: those without an id cannot be distinguished otherwise, and the token is bound to the one that fits. */
async function verifiedByAny(
  assertion: string,
  { keys }: JSONWebKeySet,
  options: Parameters<typeof jwtVerify>[2],
): Promise<Verified> {
  for (const key of keys)
    try {
      const { payload } = await jwtVerify(assertion, createLocalJWKSet({ keys: [key] }), options)
      return { payload, key: keyThumbprint({ ...key })! }
    } catch (error) {
      const isOtherKey =
        error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed
      if (!isOtherKey) throw error
    }
  throw unverified()
}

function claimReason(claim: string): string {
  switch (claim) {
    case 'aud':
      return 'The "aud" of the assertion must be the URL of this token endpoint.'
    case 'nbf':
    case 'iat':
      return `The "${claim}" of the assertion is in the future.`
    default:
      return `The "${claim}" of the assertion is missing or not valid.`
  }
}

/** Until when the assertion could be sent again. @throws AssertionError */
function lastMoment({ exp, jti }: JWTPayload, now: number): Date {
  if (exp! - now > maxLifetime + skew)
    throw new AssertionError(`An assertion can be valid for at most ${maxLifetime / 60} minutes.`)
  if (typeof jti !== 'string' || jti === '' || jti.length > maxIdLength)
    throw new AssertionError(`The "jti" of the assertion must be a text of 1 to ${maxIdLength} characters.`)
  return new Date((exp! + skew) * 1000)
}

const unverified = (): AssertionError =>
  new AssertionError('The assertion is not valid, or its client or key is unknown.')
