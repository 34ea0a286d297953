// The place of secrets: a principal of an external credential, and a user if each has their own.
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { secretNames } from '#kernel/components/external-credential/secret-names.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { SecretOwner } from '../ports/vault.ts'

export type Credential = ComponentOf<'external_credential'>
export type Principal = Credential['body']['principals'][number]

/** As a caller names it. */
export interface NamedPlace {
  credential: string
  principal: string
  user?: string | undefined
}

export interface SecretPlaceOf {
  credential: Credential
  principal: Principal
  owner: SecretOwner
}

/** @throws AlmanacError `component.not_found` */
export function requireCredential(reader: Pick<OrgReader, 'generations'>, key: string): Credential {
  const view = reader.generations.view(reader.generations.active())
  const credential = view.get('external_credential', key)
  if (credential !== undefined) return credential
  throw new AlmanacError(
    'component.not_found',
    `The external credential "${key}" does not exist.${didYouMean(key, view.keys('external_credential'))}`,
  )
}

/** @throws AlmanacError `component.not_found`, `request.invalid`, `user.not_found` */
export function requirePlace(
  reader: Pick<OrgReader, 'generations' | 'identities' | 'people'>,
  { credential: key, principal: name, user }: NamedPlace,
): SecretPlaceOf {
  const credential = requireCredential(reader, key)
  const principal = credential.body.principals.find((each) => each.key === name)
  if (principal === undefined) {
    const known = credential.body.principals.map((each) => each.key)
    throw new AlmanacError(
      'component.not_found',
      `${key} has no principal "${name}".${didYouMean(name, known)}`,
    )
  }
  const perUser = hasOwnSecrets(credential, principal)
  if (perUser && user === undefined)
    throw new AlmanacError(
      'request.invalid',
      `Each user has their own secrets for ${name} of ${key}. Add "user", the key of the user.`,
    )
  if (!perUser && user !== undefined)
    throw new AlmanacError(
      'request.invalid',
      `All users share the secrets of ${name} of ${key}. Remove "user".`,
    )
  if (user !== undefined && reader.people.user(user) === undefined)
    throw new AlmanacError('user.not_found', `The user "${user}" does not exist.`)
  return { credential, principal, owner: ownerOf(reader, credential, name, user ?? null) }
}

/** The owner of the secrets of a principal, by the identity of its credential. */
export function ownerOf(
  reader: Pick<OrgReader, 'generations' | 'identities'>,
  { key }: Pick<Credential, 'key'>,
  principal: string,
  user: string | null,
): SecretOwner {
  const credential = reader.identities.at(reader.generations.active(), `external_credential/${key}`)!
  return { kind: 'secret', credential, principal, user: user ?? '' }
}

/** Whether each user has secrets of their own. With an authorisation code, the client is shared and tokens are not. */
export function hasOwnSecrets({ body }: Credential, { mode }: Principal): boolean {
  return mode === 'per_user' && body.scheme !== 'oauth2_authorization_code'
}

export function slotsOf({ body }: Credential): { name: string; required: boolean }[] {
  return secretNames(body).map((name) => ({ name, required: true }))
}

const maxSecretBytes = 64 * 1024

/** @throws AlmanacError `request.invalid`, naming the secret but never its value */
export function requireValues(credential: Credential, values: Readonly<Record<string, string>>): void {
  const slots = slotsOf(credential)
  const names = slots.map(({ name }) => name)
  const about = `The secrets of ${credential.key} (${credential.body.scheme}) are ${names.join(', ')}.`
  for (const [name, value] of Object.entries(values)) {
    if (!names.includes(name))
      throw new AlmanacError(
        'request.invalid',
        `"${name}" is not one of the secrets.${didYouMean(name, names)} ${about}`,
      )
    if (value === '') throw new AlmanacError('request.invalid', `The secret "${name}" is empty.`)
    if (Buffer.byteLength(value) > maxSecretBytes)
      throw new AlmanacError(
        'request.invalid',
        `The secret "${name}" has more than ${maxSecretBytes / 1024} KiB.`,
      )
  }
  const missing = slots.filter(({ name, required }) => required && !Object.hasOwn(values, name))
  if (missing.length === 0) return
  const [what] = [missing.map(({ name }) => `"${name}"`).join(', ')]
  throw new AlmanacError('request.invalid', `Missing: ${what}. All secrets are written together. ${about}`)
}
