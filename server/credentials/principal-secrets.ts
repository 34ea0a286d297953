// A principal of an external credential as a call uses it: who can use it, and its secrets as they are now.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { effectiveAccess } from '../access/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { SecretOwner } from '../ports/vault.ts'
import { ownerOf, requireCredential, slotsOf, type Credential, type Principal } from './credential-place.ts'
import type { CurrentSecrets, SecretSource } from './resolve-secrets.ts'
import type { OAuthBody, TokenRequest } from './tokens/index.ts'

export interface CallPlace {
  external: Credential
  principal: Principal
  /** Whose secrets the call uses: those that all users share, and the user's own. */
  owners: SecretOwner[]
}

/** @throws AlmanacError `component.not_found`, `component.invalid` */
export function callPlace(
  reader: Pick<OrgReader, 'generations' | 'identities'>,
  { credential: key, principal: name }: { credential: string; principal: string },
  actor = '',
): CallPlace {
  const external = requireCredential(reader, key)
  const principal = external.body.principals.find((each) => each.key === name)
  if (principal === undefined)
    throw new AlmanacError('component.invalid', `${key} no longer has the principal ${name}.`)
  const slots = slotsOf(external, principal)
  const users = [
    ...(slots.some(({ perUser }) => !perUser) ? [null] : []),
    ...(slots.some(({ perUser }) => perUser) ? [actor] : []),
  ]
  return { external, principal, owners: users.map((user) => ownerOf(reader, external, name, user)) }
}

/** Why a user cannot use a principal now, in words; null if they can. */
export function explainNoGrant(
  reader: Pick<OrgReader, 'generations' | 'people'>,
  { external, principal }: Pick<CallPlace, 'external' | 'principal'>,
  actor: string,
): string | null {
  if (reader.people.user(actor)?.active !== true) return `the user ${actor} is not active`
  const view = reader.generations.view(reader.generations.active())
  const { permissionSets, platformRoot } = effectiveAccess(reader, actor, view)
  if (platformRoot || principal.grantedTo.some((key) => permissionSets.includes(key))) return null
  return `${actor} is not granted the principal ${principal.key} of ${external.key}`
}

export interface PrincipalSecrets {
  values: Readonly<Record<string, string>>
  /** Changes when a secret is promoted. */
  version: string
}

/**
 * The current secrets of a principal.
 *
 * @throws AlmanacError `integration.secret_absent`, `integration.consent_required`, `vault.*`
 */
export function principalSecrets(
  source: SecretSource,
  place: CallPlace,
): Promise<PrincipalSecrets> | PrincipalSecrets {
  const found = place.owners.map((owner) => source.current(owner))
  return found.some((each) => each instanceof Promise)
    ? Promise.all(found).then((all) => joinedSecrets(place, all))
    : joinedSecrets(place, found as (CurrentSecrets | null)[])
}

function joinedSecrets(
  { external, principal, owners }: CallPlace,
  found: readonly (CurrentSecrets | null)[],
): PrincipalSecrets {
  const lacking = owners.find(({ user }, at) => user !== '' && found[at] === null)
  if (lacking !== undefined) throw ownSecretsRequired(external, principal, lacking.user)
  const stored = found.filter((each) => each !== null)
  if (stored.length === 0)
    throw new AlmanacError(
      'integration.secret_absent',
      `${principal.key} of ${external.key} has no secrets in this org. A user with integration.manage_credentials can write them.`,
    )
  return {
    // The same object for the same secrets: what is derived from it is kept with it.
    values:
      stored.length === 1
        ? stored[0]!.values
        : (Object.assign({}, ...stored.map((each) => each.values)) as Record<string, string>),
    version: found.map((each) => each?.version ?? 0).join('.'),
  }
}

/** The user has no secrets of their own, even if other users have some. */
function ownSecretsRequired(
  { key: credential }: Credential,
  principal: Principal,
  user: string,
): AlmanacError {
  return new AlmanacError(
    'integration.consent_required',
    `The user ${user} has no secrets of their own for ${principal.key} of ${credential}. A user with integration.manage_credentials can write them.`,
    { details: [{ credential, principal: principal.key, user }] },
  )
}

/** What a token is requested with. */
export function tokenRequestOf<Body extends OAuthBody>(
  { external, principal }: CallPlace,
  body: Body,
  { values, version }: PrincipalSecrets,
  { actor, correlationId }: { actor: string; correlationId?: string },
): TokenRequest & { body: Body } {
  return {
    ...{ credential: external.key, body, secrets: values, principal: principal.key },
    user: principal.mode === 'per_user' ? actor : null,
    secretVersion: version,
    correlationId,
  }
}
