// Bearer tokens of registered clients: opaque, random, one hour; only their SHA-256 is stored (docs/reference/http.md).
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Clock } from '../ports/clock.ts'
import type { OrgReader, OrgStore } from '../ports/org-store.ts'
import type { OrgWrite } from '../ports/org-write.ts'
import type { Randomness } from '../ports/randomness.ts'
import type { TokenRow } from '../ports/tokens.ts'
import { recordAudit, type Actor } from './actor.ts'
import { keyThumbprint } from './key-thumbprint.ts'
import { hashSecret } from './secret-hash.ts'

export interface IssuedToken {
  /** Shown only once, here. */
  token: string
  expiresAt: string
}

export interface TokenBearer {
  client: string
  user: string
  operator: string | null
  /** Until when this holds without another lookup if nothing is written, in milliseconds since 1970. */
  validUntil: number
}

export interface Tokens {
  /**
   * Issues a token for a client whose identity is proved, or at the request of the org's operator.
   *
   * @param key the thumbprint of the public key that proved it; if omitted, something else did
   * @throws AlmanacError `component.not_found`, `auth.invalid`.
   */
  issueToken(by: Actor, client: string, key?: string): Promise<IssuedToken>
  /** Identifies a bearer. @throws AlmanacError `auth.invalid`, with one message for every cause. */
  authenticateToken(token: string): TokenBearer
}

export interface TokensDeps {
  store: Pick<OrgStore, 'read'>
  write: OrgWrite
  clock: Clock
  random: Randomness
}

const prefix = 'almanac_'
const lifetimeMs = 3_600_000

export function createTokens({ store, write, clock, random }: TokensDeps): Tokens {
  return {
    issueToken: async (by, client, key) => {
      const token = prefix + Buffer.from(random.bytes(32)).toString('base64url')
      const at = clock.now()
      const expiresAt = new Date(Date.parse(at) + lifetimeMs).toISOString()
      await write((transactor) => {
        const user = liveRunAs(transactor, client)
        if (user === undefined)
          throw new AlmanacError(
            'component.not_found',
            `The integration client "${client}" does not exist in this org.`,
          )
        if (user === null)
          throw new AlmanacError('auth.invalid', `The user that ${client} runs as is not active.`)
        transactor.tokens.deleteExpired(at)
        const operator = by.operatorName ?? null
        transactor.tokens.put({
          hash: hashSecret(token),
          client,
          user,
          expiresAt,
          operator,
          key: key ?? null,
        })
        recordAudit(transactor, by, at, {
          component: `client/${client}`,
          kind: 'token.issued',
          before: null,
          after: { user, expiresAt },
        })
      })
      return { token, expiresAt }
    },
    authenticateToken: (token) =>
      store.read((reader) => {
        const row = reader.tokens.get(hashSecret(token))
        const validUntil = row === undefined ? 0 : Date.parse(row.expiresAt)
        const lives = row !== undefined && validUntil > Date.parse(clock.now())
        // The tokens of a client end when it is removed or runs as another user, and with the key that obtained them.
        if (!lives || liveRunAs(reader, row.client) !== row.user || !hasKey(reader, row))
          throw new AlmanacError(
            'auth.invalid',
            'The bearer token is unknown or has expired. Request a new one.',
          )
        return { client: row.client, user: row.user, operator: row.operator, validUntil }
      }),
  }
}

/** Whether the client still has the public key whose signature obtained a token; true if none did. */
function hasKey(reader: Pick<OrgReader, 'generations'>, { client, key }: TokenRow): boolean {
  if (key === null) return true
  const view = reader.generations.view(reader.generations.active())
  const body = view.get('integration_client', client)?.body
  const keys = body?.authScheme === 'oauth2_jwt_bearer' ? (body.jwks?.keys ?? []) : []
  return keys.some((each) => keyThumbprint(each) === key)
}

/** The active user that a client runs as; null if that user is not active, undefined if the client does not exist. */
function liveRunAs(
  reader: Pick<OrgReader, 'generations' | 'people'>,
  client: string,
): string | null | undefined {
  const component = reader.generations.view(reader.generations.active()).get('integration_client', client)
  if (component === undefined) return undefined
  return reader.people.user(component.body.runAs)?.active === true ? component.body.runAs : null
}
