// Signed assertions of clients with oauth2_jwt_bearer (RFC 7523): verified with the public keys of the client, each
// accepted once.
import { isUtf8 } from 'node:buffer'
import { isStructural, scanJson } from '#kernel/components/scan-json.ts'
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

/** Which keys can verify it. Neither header nor claims are verified yet, so they can be any text. @throws AssertionError */
function issuerOf(assertion: string): string {
  const [header, claims] = assertion
    .split('.', 2)
    .map((part) => objectOf(Buffer.from(part, 'base64url').toString()))
  const issuer = claims?.['iss']
  if (header === undefined || typeof issuer !== 'string' || !isAssertionType(header['typ']))
    throw unverified()
  return issuer
}

const types = ['jwt', 'client-authentication+jwt', 'authorization-grant+jwt']

/** A client can sign tokens of other kinds with the same key. */
const isAssertionType = (typ: unknown): boolean =>
  typ === undefined ||
  (typeof typ === 'string' && types.includes(typ.toLowerCase().replace(/^application\//, '')))

/** A name that occurs twice is refused: who reads the assertion on its way could see the other value. @throws AssertionError */
function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    // Reading ends at what is nested too deeply, and a name can occur twice after that.
    const isUnclear = scanJson(text).some(isStructural)
    if (typeof value === 'object' && value !== null && !isUnclear) return value as Record<string, unknown>
  } catch {
    // It is not JSON: as an assertion, it is not valid.
  }
  throw unverified()
}

/** @throws AssertionError */
function claimsOf(payload: Uint8Array): Readonly<Record<string, unknown>> {
  if (!isUtf8(payload)) throw unverified()
  return objectOf(Buffer.from(payload).toString())
}

const unverified = (): AssertionError =>
  new AssertionError('The assertion is not valid, or its client or key is unknown.')
