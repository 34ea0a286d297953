// Secrets of clients for oauth2_client_credentials, and keys for api_key: random, shown once, stored as hashes.
import { timingSafeEqual } from 'node:crypto'
import type { JsonValue } from '#kernel/change/canonical.ts'
import type { ComponentOf } from '#kernel/components/body-types.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import {
  requireActorPermission,
  hashSecret,
  recordAudit,
  rootClientsOf,
  type Actor,
} from '../access/index.ts'
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
  /** Names the secret without revealing it. */
  id: string
  /** Null if it does not expire. */
  expiresAt: string | null
  /** Whether the client bypasses all access checks, because its user holds platform.root. */
  isRoot: boolean
}

/** A valid secret without the secret. */
export interface SecretView {
  id: string
  /** Null for a secret from before these were recorded. */
  createdAt: string | null
  createdBy: string | null
  expiresAt: string | null
}

export interface ClientSecrets {
  /**
   * Creates a secret, by the user that the client runs as or with access.manage. The previous one stays valid, so that
   * a client can be switched over; older ones end.
   * @param days until it expires; undefined for a secret that does not
   * @throws AlmanacError `component.not_found`, `access.denied`, `request.invalid`.
   */
  issueSecret(by: Actor, client: string, days?: number): Promise<IssuedSecret>
  /** The valid secrets, the newest first. @throws AlmanacError `component.not_found`, `access.denied` */
  listSecrets(by: Actor, client: string): SecretView[]
  /**
   * Ends a secret and all tokens of its client.
   * @throws AlmanacError `secret.not_found`, `component.not_found`, `access.denied`
   */
  revokeSecret(by: Actor, client: string, id: string): Promise<void>
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
  /** Until when the key holds without another lookup if nothing is written, in milliseconds since 1970. */
  validUntil: number
}

export interface ClientSecretsDeps {
  store: Pick<OrgStore, 'read'>
  write: OrgWrite
  clock: Clock
  random: Randomness
}

const maxValidSecrets = 2
const keyPrefix = 'almanac_key_'
const dayMs = 86_400_000
const permission = 'integration.manage_credentials'

export function createClientSecrets({ store, write, clock, random }: ClientSecretsDeps): ClientSecrets {
  return {
    issueSecret: (by, client, days) => {
      const secret = Buffer.from(random.bytes(32)).toString('base64url')
      return write((transactor) => {
        requireActorPermission(by, transactor, permission, `to create a secret of the client ${client}`)
        const { runAs, authScheme } = requireSecretClient(transactor, client)
        const clientSecret = (authScheme === 'api_key' ? keyPrefix : 'almanac_secret_') + secret
        if (runAs !== by.actor)
          requireActorPermission(
            by,
            transactor,
            'access.manage',
            `to create a secret of ${client}, which runs as ${runAs}`,
          )
        const createdAt = clock.now()
        const before = validSecrets(transactor, client, createdAt)
        const expiresAt =
          days === undefined ? null : new Date(Date.parse(createdAt) + days * dayMs).toISOString()
        const made: StoredSecret = {
          ...{ hash: hashSecret(clientSecret), operator: by.operatorName ?? null },
          ...{ createdAt, createdBy: by.actor, expiresAt },
        }
        const secrets = [made, ...before].slice(0, maxValidSecrets)
        transactor.settings.put(secretsSettingOf(client), serializeSecrets(secrets))
        recordAudit(transactor, by, createdAt, {
          component: `client/${client}`,
          kind: 'client.secret_made',
          before: { valid: before.length },
          after: { valid: secrets.length, id: idOf(made), expiresAt },
        })
        const isRoot = rootClientsOf(transactor, viewOf(transactor)).has(client)
        const issued = { client, clientId: client, clientSecret, valid: secrets.length, isRoot }
        return { ...issued, id: idOf(made), expiresAt }
      })
    },
    listSecrets: (by, client) =>
      store.read((reader) => {
        requireActorPermission(by, reader, permission, `to list the secrets of the client ${client}`)
        requireClient(reader, client)
        return validSecrets(reader, client, clock.now()).map((secret) => ({
          ...{ id: idOf(secret), createdAt: secret.createdAt, createdBy: secret.createdBy },
          expiresAt: secret.expiresAt,
        }))
      }),
    revokeSecret: (by, client, id) =>
      write((transactor) => {
        requireActorPermission(by, transactor, permission, `to revoke a secret of the client ${client}`)
        requireClient(transactor, client)
        const at = clock.now()
        const before = validSecrets(transactor, client, at)
        const after = before.filter((secret) => idOf(secret) !== id)
        if (after.length === before.length)
          throw new AlmanacError(
            'secret.not_found',
            `The client ${client} has no valid secret with the id "${id}".`,
          )
        transactor.settings.put(secretsSettingOf(client), serializeSecrets(after))
        // A token does not name the secret that obtained it.
        transactor.tokens.move(new Map([[client, null]]))
        recordAudit(transactor, by, at, {
          component: `client/${client}`,
          kind: 'client.secret_revoked',
          before: { valid: before.length, id },
          after: { valid: after.length },
        })
      }),
    isValidSecret: (client, secret) =>
      store.read((reader) => {
        return (
          findSecret(reader, client, secret, clock.now()) !== undefined &&
          bodyOf(reader, client)?.authScheme === 'oauth2_client_credentials'
        )
      }),
    operatorOf: (client, secret) =>
      store.read((reader) => findSecret(reader, client, secret, clock.now())?.operator ?? null),
    authenticateKey: (key) =>
      store.read((reader) => {
        const clients = viewOf(reader).list('integration_client')
        // A key does not name its client, which can be renamed. It is looked up once after each write.
        for (const { key: client, body } of key.startsWith(keyPrefix) ? clients : []) {
          if (body.authScheme !== 'api_key') continue
          const found = findSecret(reader, client, key, clock.now())
          if (found === undefined || reader.people.user(body.runAs)?.active !== true) continue
          const validUntil = found.expiresAt === null ? Number.MAX_SAFE_INTEGER : Date.parse(found.expiresAt)
          return { client, user: body.runAs, operator: found.operator, validUntil }
        }
        throw new AlmanacError('auth.invalid', 'The API key is unknown or no longer valid.')
      }),
  }
}

interface StoredSecret {
  hash: string
  operator: string | null
  createdAt: string | null
  createdBy: string | null
  expiresAt: string | null
}

/** A part of the hash, from which nobody finds a random secret. */
const idOf = ({ hash }: StoredSecret): string => hash.slice(0, 12)

const validSecrets = (reader: Pick<OrgReader, 'settings'>, client: string, now: string): StoredSecret[] =>
  secretsOf(reader, client).filter(({ expiresAt }) => expiresAt === null || expiresAt > now)

function findSecret(
  reader: Pick<OrgReader, 'settings'>,
  client: string,
  secret: string,
  now: string,
): StoredSecret | undefined {
  const shown = Buffer.from(hashSecret(secret))
  return validSecrets(reader, client, now).filter(({ hash }) => timingSafeEqual(Buffer.from(hash), shown))[0]
}

/** A secret grants the rights of the user that the client runs as. */
function requireSecretClient(
  reader: Pick<OrgReader, 'generations'>,
  client: string,
): ComponentOf<'integration_client'>['body'] {
  const body = requireClient(reader, client)
  if (body.authScheme === 'oauth2_jwt_bearer')
    throw new AlmanacError(
      'request.invalid',
      `The client ${client} authenticates with signed assertions and has no secret. Set its authScheme to oauth2_client_credentials or api_key first.`,
    )
  return body
}

function requireClient(
  reader: Pick<OrgReader, 'generations'>,
  client: string,
): ComponentOf<'integration_client'>['body'] {
  const body = bodyOf(reader, client)
  if (body !== undefined) return body
  const known = viewOf(reader).keys('integration_client')
  throw new AlmanacError(
    'component.not_found',
    `The integration client "${client}" does not exist.${didYouMean(client, known)}`,
  )
}

function bodyOf(
  reader: Pick<OrgReader, 'generations'>,
  client: string,
): ComponentOf<'integration_client'>['body'] | undefined {
  return viewOf(reader).get('integration_client', client)?.body
}

function viewOf({ generations }: Pick<OrgReader, 'generations'>): ComponentView {
  return generations.view(generations.active())
}

export function secretsSettingOf(client: string): string {
  return `client_secrets/${client}`
}

export function serializeSecrets(secrets: readonly StoredSecret[]): JsonValue {
  return secrets.map((secret) => ({ ...secret }))
}

/** Older secrets are stored as hashes alone, or without when and by whom they were made. */
export function secretsOf(reader: Pick<OrgReader, 'settings'>, client: string): StoredSecret[] {
  const stored: JsonValue | undefined = reader.settings.get(secretsSettingOf(client))
  if (!Array.isArray(stored)) return []
  const unrecorded = { operator: null, createdAt: null, createdBy: null, expiresAt: null }
  return (stored as readonly (string | (Partial<StoredSecret> & { hash: string }))[]).map((secret) => ({
    ...unrecorded,
    ...(typeof secret === 'string' ? { hash: secret } : secret),
  }))
}
