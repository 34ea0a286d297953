// Secrets of clients for oauth2_client_credentials, and keys for api_key: random, shown once, stored as hashes.
import { timingSafeEqual } from 'node:crypto'
import type { JsonValue } from '#kernel/change/canonical.ts'
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import { requireActorPermission, hashSecret, recordAudit, type Actor } from '../access/index.ts'
import type { Clock } from '../ports/clock.ts'
import type { OrgReader, OrgStore } from '../ports/org-store.ts'
import type { OrgWrite } from '../ports/org-write.ts'
import type { Randomness } from '../ports/randomness.ts'

export interface IssuedSecret {
  client: string
  clientId: string
  /** Shown only once, here. For api_key, the key. */
  clientSecret: string
  /** The number of the client's secrets that are valid now. */
  valid: number
}

export interface ClientSecrets {
  /**
   * Creates a secret, by the user that the client runs as or with access.manage. The previous one stays valid, so that
   * a client can be switched over; older ones end.
   * @throws AlmanacError `component.not_found`, `access.denied`, `request.invalid`.
   */
  issueSecret(by: Actor, client: string): Promise<IssuedSecret>
  /** Whether this is a valid secret of a client that may use secrets. Reveals nothing else. */
  isValidSecret(client: string, secret: string): boolean
  /** The operating-system user who created a valid secret; null if a user of the org did. */
  operatorOf(client: string, secret: string): string | null
  /** Identifies the bearer of an API key. @throws AlmanacError `auth.invalid`, with one message for every cause. */
  authenticateKey(key: string): ClientBearer
}

export interface ClientBearer {
  client: string
  user: string
  operator: string | null
}

export interface ClientSecretsDeps {
  store: Pick<OrgStore, 'read'>
  write: OrgWrite
  clock: Clock
  random: Randomness
}

const maxValidSecrets = 2
const keyPrefix = 'almanac_key_'

export function createClientSecrets({ store, write, clock, random }: ClientSecretsDeps): ClientSecrets {
  return {
    issueSecret: (by, client) => {
      const secret = Buffer.from(random.bytes(32)).toString('base64url')
      return write((transactor) => {
        requireActorPermission(
          by,
          transactor,
          'integration.manage_credentials',
          `to create a secret of the client ${client}`,
        )
        const { runAs, authScheme } = requireSecretClient(transactor, client)
        const clientSecret = (authScheme === 'api_key' ? keyPrefix : 'almanac_secret_') + secret
        if (runAs !== by.actor)
          requireActorPermission(
            by,
            transactor,
            'access.manage',
            `to create a secret of ${client}, which runs as ${runAs}`,
          )
        const before = secretsOf(transactor, client)
        const made: StoredSecret = { hash: hashSecret(clientSecret), operator: by.operatorName ?? null }
        const secrets = [made, ...before].slice(0, maxValidSecrets)
        transactor.settings.put(secretsSettingOf(client), serializeSecrets(secrets))
        recordAudit(transactor, by, clock.now(), {
          component: `client/${client}`,
          kind: 'client.secret_made',
          before: { valid: before.length },
          after: { valid: secrets.length },
        })
        return { client, clientId: client, clientSecret, valid: secrets.length }
      })
    },
    isValidSecret: (client, secret) =>
      store.read((reader) => {
        return (
          findSecret(reader, client, secret) !== undefined &&
          bodyOf(reader, client)?.authScheme === 'oauth2_client_credentials'
        )
      }),
    operatorOf: (client, secret) =>
      store.read((reader) => findSecret(reader, client, secret)?.operator ?? null),
    authenticateKey: (key) =>
      store.read((reader) => {
        const clients = reader.generations.view(reader.generations.active()).list('integration_client')
        // A key does not name its client, which can be renamed. It is looked up once after each write.
        for (const { key: client, body } of key.startsWith(keyPrefix) ? clients : []) {
          if (body.authScheme !== 'api_key') continue
          const found = findSecret(reader, client, key)
          if (found === undefined || reader.people.user(body.runAs)?.active !== true) continue
          return { client, user: body.runAs, operator: found.operator }
        }
        throw new AlmanacError('auth.invalid', 'The API key is unknown or no longer valid.')
      }),
  }
}

interface StoredSecret {
  hash: string
  operator: string | null
}

function findSecret(
  reader: Pick<OrgReader, 'settings'>,
  client: string,
  secret: string,
): StoredSecret | undefined {
  const shown = Buffer.from(hashSecret(secret))
  return secretsOf(reader, client).filter(({ hash }) => timingSafeEqual(Buffer.from(hash), shown))[0]
}

/** A secret grants the rights of the user that the client runs as. */
function requireSecretClient(
  reader: Pick<OrgReader, 'generations'>,
  client: string,
): ComponentOf<'integration_client'>['body'] {
  const body = bodyOf(reader, client)
  if (body === undefined) {
    const known = reader.generations.view(reader.generations.active()).keys('integration_client')
    throw new AlmanacError(
      'component.not_found',
      `The integration client "${client}" does not exist.${didYouMean(client, known)}`,
    )
  }
  if (body.authScheme === 'oauth2_jwt_bearer')
    throw new AlmanacError(
      'request.invalid',
      `The client ${client} authenticates with signed assertions and has no secret. Set its authScheme to oauth2_client_credentials or api_key first.`,
    )
  return body
}

function bodyOf(
  reader: Pick<OrgReader, 'generations'>,
  client: string,
): ComponentOf<'integration_client'>['body'] | undefined {
  return reader.generations.view(reader.generations.active()).get('integration_client', client)?.body
}

export function secretsSettingOf(client: string): string {
  return `client_secrets/${client}`
}

export function serializeSecrets(secrets: readonly StoredSecret[]): JsonValue {
  return secrets.map((secret) => ({ ...secret }))
}

/** Secrets from before operators were recorded are stored only as hashes. */
export function secretsOf(reader: Pick<OrgReader, 'settings'>, client: string): StoredSecret[] {
  const stored: JsonValue | undefined = reader.settings.get(secretsSettingOf(client))
  if (!Array.isArray(stored)) return []
  return (stored as readonly (string | StoredSecret)[]).map((secret) =>
    typeof secret === 'string' ? { hash: secret, operator: null } : secret,
  )
}
