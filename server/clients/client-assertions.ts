// Signed assertions of clients with oauth2_jwt_bearer (RFC 7523): verified with the public keys of the client, each
// accepted once.
import { decodeJwt } from 'jose'
import { hashSecret } from '../access/index.ts'
import type { Clock } from '../ports/clock.ts'
import type { OrgStore } from '../ports/org-store.ts'
import type { OrgWrite } from '../ports/org-write.ts'
import { AssertionError, readClaims } from './assertion-claims.ts'
import { verifySignature } from './assertion-signature.ts'

export interface ClientAssertions {
  /**
   * Returns the client that signed an assertion and the thumbprint of its key, and marks the assertion as used.
   * @param audiences the issuer, which is the URL of this server, and the URL of its token endpoint
   * @throws AssertionError
   */
  verify(assertion: string, audiences: readonly string[]): Promise<ProvedAssertion>
}

export interface ProvedAssertion {
  client: string
  /** The thumbprint of the public key that verified it. */
  key: string
}

export interface ClientAssertionsDeps {
  store: Pick<OrgStore, 'read'>
  write: OrgWrite
  clock: Clock
}

export function createClientAssertions({ store, write, clock }: ClientAssertionsDeps): ClientAssertions {
  return {
    verify: async (assertion, audiences) => {
      const client = issuerOf(assertion)
      const keys = store.read((reader) => {
        const view = reader.generations.view(reader.generations.active())
        const body = view.get('integration_client', client)?.body
        return body?.authScheme === 'oauth2_jwt_bearer' ? body.jwks?.keys : undefined
      })
      const verified = keys === undefined ? null : await verifySignature(assertion, keys)
      if (verified === null) throw unverified()
      const now = clock.now()
      const terms = { client, audiences, now: Math.floor(Date.parse(now) / 1000) }
      const { jti, lastMoment } = readClaims(claimsOf(verified.payload), terms)
      const used = { hash: hashSecret(`${client}\n${jti}`), expiresAt: lastMoment.toISOString() }
      const isNew = await write((transactor) => transactor.tokens.useAssertion(used, now))
      if (!isNew) throw new AssertionError('The assertion was used before: each needs a new "jti".')
      return { client, key: verified.key }
    },
  }
}

/** Which keys can verify it. The claims are not verified yet, so this can be any JSON value. @throws AssertionError */
function issuerOf(assertion: string): string {
  let issuer: unknown
  try {
    issuer = decodeJwt(assertion).iss
  } catch {
    throw unverified()
  }
  if (typeof issuer !== 'string') throw unverified()
  return issuer
}

/** @throws AssertionError */
function claimsOf(payload: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const claims: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload))
    if (typeof claims === 'object' && claims !== null) return claims as Record<string, unknown>
  } catch {
    // Neither UTF-8 nor JSON: as an assertion, it is not valid.
  }
  throw unverified()
}

const unverified = (): AssertionError =>
  new AssertionError('The assertion is not valid, or its client or key is unknown.')
