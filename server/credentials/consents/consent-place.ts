// The place of a consent: a principal of an authorisation code, for one user.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { OrgReader } from '../../ports/org-store.ts'
import type { SecretOwner, VaultRow } from '../../ports/vault.ts'
import { ownerOf } from '../credential-place.ts'
import { callPlace, explainNoGrant, type CallPlace } from '../principal-secrets.ts'
import type { CodeBody } from '../tokens/index.ts'

export interface ConsentPlace extends CallPlace {
  body: CodeBody
  /** Of the row of the consent. */
  owner: SecretOwner
}

export interface ConsentName {
  credential: string
  principal: string
}

type Reader = Pick<OrgReader, 'generations' | 'identities' | 'people'>

/**
 * The same error for a principal that does not exist and for one that the user is not granted.
 * @throws AlmanacError `access.denied`
 */
export function requireConsentPlace(reader: Reader, named: ConsentName, user: string): ConsentPlace {
  const place = findConsentPlace(reader, named, user)
  if (place !== null && explainNoGrant(reader, place, user) === null) return place
  throw new AlmanacError(
    'access.denied',
    `${user} is not granted a principal "${named.principal}" of a credential "${named.credential}" that needs consent.`,
  )
}

/** Null if the principal does not exist, or its scheme needs no consent. */
export function findConsentPlace(reader: Reader, named: ConsentName, user: string): ConsentPlace | null {
  const view = reader.generations.view(reader.generations.active())
  const body = view.get('external_credential', named.credential)?.body
  if (body?.scheme !== 'oauth2_authorization_code') return null
  if (!body.principals.some(({ key }) => key === named.principal)) return null
  const place = callPlace(reader, named, user)
  return {
    ...place,
    ...{ body, owner: { ...ownerOf(reader, place.external, named.principal, user), kind: 'consent' } },
  }
}

/** The identity of a credential in the vault, if its scheme needs consent. */
export function consentIdentity(reader: Reader, credential: string): string | null {
  const external = reader.generations.view(reader.generations.active()).get('external_credential', credential)
  return external?.body.scheme === 'oauth2_authorization_code'
    ? ownerOf(reader, external, '', null).credential
    : null
}

/** The users who have given consent, or were asked for it, by principal and user. */
export function askedUsers(rows: readonly Pick<VaultRow, 'owner'>[]): { principal: string; user: string }[] {
  const found = new Map<string, { principal: string; user: string }>()
  for (const { owner } of rows) {
    const { kind, principal, user } = owner
    if (kind !== 'secret' && user !== '') found.set(JSON.stringify([principal, user]), { principal, user })
  }
  return [...found.keys()].sort().map((name) => found.get(name)!)
}

/** All that a user is granted. */
export function grantedConsentPlaces(reader: Reader, user: string): ConsentPlace[] {
  const view = reader.generations.view(reader.generations.active())
  return [...view.list('external_credential')].flatMap(({ key: credential, body }) =>
    body.principals.flatMap(({ key: principal }) => {
      const place = findConsentPlace(reader, { credential, principal }, user)
      return place !== null && explainNoGrant(reader, place, user) === null ? [place] : []
    }),
  )
}
